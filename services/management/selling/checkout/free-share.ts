import { freeShare } from "#libs/domain/upload-room.ts";
import { type AddressKey, siteOf, tooManyRequests } from "#libs/http/index.ts";
import { UNUSED_BY_CHECKOUT_FOR_MS } from "../../media/uploads/usage.ts";
import type { SellingPorts } from "../ports.ts";

/**
 * Counts files of a checkout for which nothing was paid to the network that asks for them: anybody can have any number of such checkouts.
 * Images at other sites, which are copied, count as the largest. Throws 429 if the network has had its share of the workspace's room.
 */
export async function takeFreeShare(
  { limits, uploadQuotaBytes: quota, uploads }: SellingPorts,
  workspaceId: string,
  network: AddressKey,
  { bytes, files = 1 }: { readonly bytes: number; readonly files?: number },
): Promise<void> {
  // It is refused for that, and would take more than all of the share.
  if (bytes > uploads.maxBytes) return;
  const { points, cost } = freeShare(bytes, { quota, most: uploads.maxBytes });
  const rule = { name: "upload-free", points, durationSeconds: UNUSED_BY_CHECKOUT_FOR_MS / 1000 };
  // An ad always fits into a whole share.
  const taken = Math.min(cost * files, points);
  const rate = await limits.consume(rule, `${workspaceId} ${siteOf(network) ?? network}`, taken);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
