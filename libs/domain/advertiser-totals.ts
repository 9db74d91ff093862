import type { ProcessorTime } from "./moment.ts";
import type { AdStatus } from "./review.ts";
import { isOverdue } from "./subscription.ts";
import {
  type BillingFacts,
  endsAt,
  hasBegun,
  isServing,
  lapsedAt,
  lifetimeAmount,
  monthlyAmount,
  renewsAt,
} from "./subscription-billing.ts";

/** A subscription with the ad that runs on it; `ad` is null until one is submitted. Counts are over all time. */
export interface SubscriptionWithAd extends BillingFacts {
  readonly ad: { readonly status: AdStatus; readonly impressions: number; readonly clicks: number } | null;
}

/** Times are on the processor's clock, in milliseconds since the epoch; amounts in the smallest unit of `currency`. */
export interface AdvertiserTotals {
  readonly ads: number;
  /** Ads that are eligible now. */
  readonly activeAds: number;
  /** Serving subscriptions: Active or Trialing and not past a planned end, with an ad or without. */
  readonly activeSubscriptions: number;
  readonly impressions: number;
  readonly clicks: number;
  /** What serving subscriptions bring in an average month; rounded once, after the sum. */
  readonly monthlyAmount: number;
  /** What has been charged over every subscription and not refunded, estimated from periods where the processor's figure is unknown. */
  readonly lifetimeAmount: number;
  /** What was refunded: with `lifetimeAmount` it is what has been charged. */
  readonly refundedAmount: number;
  /** The workspace's if any subscription bills in it, else that of the newest; other currencies are not summed. */
  readonly currency: string;
  /** The soonest renewal of a serving subscription that does renew; a free one renews as well. */
  readonly nextRenewalAt: number | null;
  /** The last lapse, once every subscription that had begun has lapsed and none is being bought. */
  readonly churnedAt: number | null;
  /** Subscriptions with a failed payment that is still owed. */
  readonly pastDueSubscriptions: number;
  readonly pausedSubscriptions: number;
  /** Whether any serving subscription is set to end. */
  readonly canceling: boolean;
  /** The soonest such end. */
  readonly cancelAt: number | null;
  /** One sentence for people on the above. */
  readonly cancellationSummary: string | null;
}

/** The totals of one advertiser over all of its subscriptions as they are at `now`. */
export function advertiserTotals(
  subscriptions: readonly SubscriptionWithAd[],
  workspaceCurrency: string,
  now: ProcessorTime,
): AdvertiserTotals {
  const currency = billingCurrency(subscriptions, workspaceCurrency);
  const summed = subscriptions.filter(({ price }) => price.currency === currency);
  const serving = subscriptions.filter((one) => isServing(one, now));
  const ads = subscriptions.flatMap(({ ad }) => ad ?? []);
  const cancelAt = furthest(
    serving.map((one) => endsAt(one, now)),
    Math.min,
  );
  return {
    ads: ads.length,
    activeAds: subscriptions.filter((one) => one.ad !== null && isServing(one, now, one.ad.status)).length,
    activeSubscriptions: serving.length,
    impressions: sum(ads.map(({ impressions }) => impressions)),
    clicks: sum(ads.map(({ clicks }) => clicks)),
    monthlyAmount: wholeAmount(summed.filter((one) => isServing(one, now)).map(monthlyAmount)),
    lifetimeAmount: wholeAmount(summed.map((one) => lifetimeAmount(one, now))),
    refundedAmount: wholeAmount(summed.map(({ refundedAmount }) => refundedAmount)),
    currency,
    nextRenewalAt: furthest(
      serving.map((one) => renewsAt(one, now)),
      Math.min,
    ),
    churnedAt: churnedAt(subscriptions, now),
    pastDueSubscriptions: subscriptions.filter(({ status }) => isOverdue(status)).length,
    pausedSubscriptions: subscriptions.filter(({ status }) => status === "Paused").length,
    canceling: cancelAt !== null,
    cancelAt,
    cancellationSummary: cancelAt === null ? null : summarise(serving, cancelAt, now),
  };
}

function billingCurrency(subscriptions: readonly SubscriptionWithAd[], workspaceCurrency: string): string {
  if (subscriptions.some(({ price }) => price.currency === workspaceCurrency)) return workspaceCurrency;
  const newest = subscriptions.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  return newest?.price.currency ?? workspaceCurrency;
}

function churnedAt(subscriptions: readonly SubscriptionWithAd[], now: ProcessorTime): number | null {
  if (subscriptions.some(({ status }) => status === "Incomplete")) return null;
  const lapses = subscriptions.filter(hasBegun).map((one) => lapsedAt(one, now));
  return lapses.includes(null) ? null : furthest(lapses, Math.max);
}

/** "The subscription ends on 1 December 2026 (too expensive)." or "2 of 3 subscriptions end, the first on …". */
function summarise(serving: readonly SubscriptionWithAd[], cancelAt: number, now: ProcessorTime): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(cancelAt);
  const ending = serving.filter((one) => endsAt(one, now) !== null);
  const [only] = ending;
  if (ending.length > 1) {
    const which =
      ending.length === serving.length ? `All ${ending.length}` : `${ending.length} of ${serving.length}`;
    return `${which} active subscriptions end, the first on ${day}.`;
  }
  const which = serving.length === 1 ? "The subscription" : `1 of ${serving.length} active subscriptions`;
  return `${which} ends on ${day}${inBrackets(only?.cancellationFeedback ?? null)}.`;
}

function inBrackets(feedback: string | null): string {
  return feedback === null || feedback === "" || feedback === "other"
    ? ""
    : ` (${feedback.replaceAll("_", " ")})`;
}

/** The soonest or latest of the known times. There may be more of them than one call takes arguments. */
function furthest(times: readonly (number | null)[], choose: typeof Math.min): number | null {
  return times.reduce(
    (found, time) => (found === null || time === null ? (found ?? time) : choose(found, time)),
    null,
  );
}

/** Rounded once, and no more than JSON carries exactly. */
function wholeAmount(amounts: readonly number[]): number {
  return Math.min(Math.round(sum(amounts)), Number.MAX_SAFE_INTEGER);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
