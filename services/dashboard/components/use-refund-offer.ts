import { useQuery } from "@tanstack/react-query";
import type { Ad } from "#libs/contract/ad.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { query } from "../api/client.ts";
import { useMoment } from "../api/processor-clock.ts";
import { useWorkspace } from "../api/workspace.ts";
import { type RefundOffer, refundOffer } from "./refund-offer.ts";

interface Sale {
  readonly subscription: Pick<
    Ad["subscription"],
    "id" | "currentPeriodStart" | "currentPeriodEnd" | "paidAmount" | "stoppedAt" | "endedAt"
  >;
  /** Null before the first submission. */
  readonly adId: string | null;
  /** Whether it can be ended, and was not free. */
  readonly canRefund: boolean;
}

/** Null for nothing to refund, undefined while that loads, `away` where it could not be loaded. */
export type Offered = RefundOffer | "away" | null | undefined;

/** What rejecting an ad would refund, as `useRefundOfSale` says it. */
export function useRefundOffer({ id: adId, status, subscription }: Ad): Offered {
  const canRefund = reviewRefusal("reject", status) === null && subscription.tierPrice.amount > 0;
  return useRefundOfSale({ subscription, adId, canRefund });
}

/**
 * What ending a subscription would refund; null for nothing, undefined while it is not known, `away` where that cannot be looked
 * up. It is looked up before the dialog opens, so that its choice does not appear under the pointer.
 */
export function useRefundOfSale({ subscription, adId, canRefund: enabled }: Sale): Offered {
  const { id: workspaceId } = useWorkspace();
  const { atProcessor } = useMoment();
  const invoices = useQuery({
    ...query.invoices.list.queryOptions({
      input: { workspaceId, subscriptionId: subscription.id, status: "paid", perPage: 100 },
    }),
    enabled,
  });
  const eligibility = useQuery({
    ...query.ads.eligibility.queryOptions({ input: { workspaceId, adId: adId ?? "" } }),
    enabled: enabled && adId !== null,
  });
  if (!enabled) return null;
  const hasRun = adId === null ? false : eligibility.data && eligibility.data.servingSince !== null;
  if (invoices.data === undefined || hasRun === undefined) {
    return invoices.isError || eligibility.isError ? "away" : undefined;
  }
  return refundOffer(invoices.data.items, hasRun, subscription, atProcessor);
}
