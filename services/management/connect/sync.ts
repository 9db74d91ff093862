import type { Services } from "../services.ts";

/**
 * Brings what we know of a workspace's account in line with the processor's; an account that is not ours is left alone.
 * Returns whether anything was written. Throws `PaymentsError`.
 */
export async function syncAccount(services: Services, accountId: string): Promise<boolean> {
  services.logger.debug({ accountId }, "accounts are not kept yet");
  return false;
}
