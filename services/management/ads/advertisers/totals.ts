import { advertiserTotals, type SubscriptionWithAd } from "#libs/domain/advertiser-totals.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { AdCount } from "#libs/stats-store/index.ts";
import { awaitsCharge, graceEndOf, heldUntil } from "../../snapshots/publish.ts";
import { asTimestamp } from "../present.ts";
import type { findSubscriptions, findUnpaid } from "./queries.ts";

type SubscriptionRow = Awaited<ReturnType<typeof findSubscriptions>>[number];
/** What one advertiser owes in one currency. */
export type UnpaidRow = Awaited<ReturnType<typeof findUnpaid>>[number];
type Counts = ReadonlyMap<string, AdCount>;

/** The totals of one advertiser, with the counts of its ads. */
export function totalsOf(
  rows: readonly SubscriptionRow[],
  counts: Counts,
  owed: readonly UnpaidRow[],
  currency: string,
  now: ProcessorTime,
) {
  const totals = advertiserTotals(
    rows.map((row) => asBillingFacts(row, counts)),
    currency,
    now,
  );
  return {
    ...totals,
    unpaidAmount: owed.find((one) => one.currency === totals.currency)?.amount ?? 0,
    nextRenewalAt: asTimestamp(totals.nextRenewalAt),
    churnedAt: asTimestamp(totals.churnedAt),
    cancelAt: asTimestamp(totals.cancelAt),
  };
}

/** The counts of an ad over all time. */
export function countsOf(counts: Counts, adId: string) {
  const count = counts.get(adId);
  return { impressions: count?.impressions ?? 0, clicks: count?.clicks ?? 0 };
}

function asBillingFacts(row: SubscriptionRow, counts: Counts): SubscriptionWithAd {
  const recordedAt = row.created_at.getTime();
  const currentPeriodStart = row.current_period_start?.getTime() ?? null;
  return {
    status: row.status,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    cancelAt: row.cancel_at?.getTime() ?? null,
    canceledAt: row.canceled_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
    cancellationFeedback: row.cancellation_feedback,
    trialEnd: row.trial_end?.getTime() ?? null,
    currentPeriodStart,
    currentPeriodEnd: row.current_period_end?.getTime() ?? null,
    // Our row is made when we learn of the purchase, which may be after its first period has started, or even ended.
    createdAt: Math.min(recordedAt, currentPeriodStart ?? recordedAt),
    graceEndsAt: graceEndOf({ ...row, subscription_status: row.status }),
    awaitsCharge: awaitsCharge(row),
    heldUntil: heldUntil(row),
    awaitsApproval: row.awaits_approval,
    paidAmount: row.paid_amount,
    chargedAmount: row.charged?.amount ?? null,
    refundedAmount: row.charged?.refunded ?? 0,
    chargedSince: row.charged?.since?.getTime() ?? null,
    price: {
      interval: row.interval,
      intervalCount: row.interval_count,
      amount: row.amount,
      currency: row.currency,
    },
    ad:
      row.ad_id === null || row.ad_status === null
        ? null
        : { status: row.ad_status, ...countsOf(counts, row.ad_id) },
  };
}
