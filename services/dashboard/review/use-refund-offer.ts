import { useQuery } from "@tanstack/react-query";
import type { Ad } from "#libs/contract/ad.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { query } from "../api/client.ts";
import { useMoment } from "../api/processor-clock.ts";
import { useWorkspace } from "../api/workspace.ts";
import { type RefundOffer, refundOffer } from "./refund-offer.ts";

/**
 * What rejecting an ad would refund; null for nothing, undefined while it is not known, `away` where that cannot be looked
 * up. It is looked up before the dialog opens, so that its choice does not appear under the pointer.
 */
export function useRefundOffer(ad: Ad): RefundOffer | "away" | null | undefined {
  const { id: workspaceId } = useWorkspace();
  const { atProcessor } = useMoment();
  const { id: adId, subscription } = ad;
  const enabled = reviewRefusal("reject", ad.status) === null && subscription.tierPrice.amount > 0;
  const invoices = useQuery({
    ...query.invoices.list.queryOptions({
      input: { workspaceId, subscriptionId: subscription.id, status: "paid", perPage: 100 },
    }),
    enabled,
  });
  const eligibility = useQuery({
    ...query.ads.eligibility.queryOptions({ input: { workspaceId, adId } }),
    enabled,
  });
  if (!enabled) return null;
  if (invoices.data === undefined || eligibility.data === undefined) {
    return invoices.isError || eligibility.isError ? "away" : undefined;
  }
  return refundOffer(invoices.data.items, eligibility.data.servingSince !== null, atProcessor);
}
