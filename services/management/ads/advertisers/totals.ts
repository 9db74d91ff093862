import { advertiserTotals } from "#libs/domain/advertiser-totals.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { BillingFacts } from "#libs/domain/subscription-billing.ts";
import type { AdCount } from "#libs/stats-store/index.ts";
import { awaitsCharge, graceEndOf, heldUntil } from "../../snapshots/publish.ts";
import { asTimestamp } from "../present.ts";
import type { findUnpaid, SubscriptionRow } from "./queries.ts";

/** What one advertiser owes in one currency. */
export type UnpaidRow = Awaited<ReturnType<typeof findUnpaid>>[number];
type Counts = ReadonlyMap<string, AdCount>;

/** The totals of one advertiser, with the counts of its ads. */
export function totalsOf(
  bought: readonly Bought[],
  counts: Counts,
  owed: readonly UnpaidRow[],
  currency: string,
  now: ProcessorTime,
) {
  const newestFirst = bought.toSorted((a, b) => b.recordedAt - a.recordedAt);
  const totals = advertiserTotals(
    newestFirst.map(({ ad, facts }) => ({
      ...facts,
      ad: ad === null ? null : { ...ad, ...countsOf(counts, ad.id) },
    })),
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

/** A subscription of an advertiser, as far as totals are made of it. */
export interface Bought {
  readonly advertiserId: string;
  readonly ad: { readonly id: string; readonly status: AdStatus } | null;
  readonly facts: BillingFacts;
  /** Periods begin with whole seconds, so that the newest of one second is known only by this. */
  readonly recordedAt: number;
}

/** What totals are made of. It is small, as an advertiser may have very many. */
export function asBought(row: SubscriptionRow): Bought {
  const { advertiser_id: advertiserId, ad_id: id, ad_status: status } = row;
  return {
    advertiserId,
    ad: id === null || status === null ? null : { id, status },
    facts: asBillingFacts(row),
    recordedAt: row.created_at.getTime(),
  };
}

/** The facts of a subscription's billing in its row. */
export function asBillingFacts(row: SubscriptionRow): BillingFacts {
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
    awaitsCharge: awaitsCharge({ ...row, subscription_status: row.status }),
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
  };
}
