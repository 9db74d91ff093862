import { isEligible, type ServingFacts } from "./eligibility.ts";
import type { ProcessorTime } from "./moment.ts";
import { DAYS_PER_MONTH, type Interval, monthsInPeriod } from "./period.ts";
import type { AdStatus } from "./review.ts";
import { isOverdue, plannedEnd, type SubscriptionStatus } from "./subscription.ts";

/** The facts of a subscription's billing. Times are on the processor's clock, in milliseconds since the epoch; amounts in the smallest unit. */
export interface BillingFacts extends Omit<ServingFacts, "adStatus" | "subscriptionStatus"> {
  readonly status: SubscriptionStatus;
  readonly price: {
    readonly interval: Interval;
    readonly intervalCount: number;
    readonly amount: number;
    readonly currency: string;
  };
  /** Whether its charges wait for the first approval of its ad. */
  readonly awaitsApproval: boolean;
  /** What a period really costs after discounts; null when unknown. */
  readonly paidAmount: number | null;
  /** What the processor has charged, as far as the ledger goes back; null where it has nothing. */
  readonly chargedAmount: number | null;
  /** What of that was refunded. */
  readonly refundedAmount: number;
  /** When the first invoice of the ledger was issued; null where it has none, or goes back to the beginning. */
  readonly chargedSince: number | null;
  readonly createdAt: number;
  readonly trialEnd: number | null;
  readonly currentPeriodStart: number | null;
  readonly canceledAt: number | null;
  /** When it ended for good; null before that, and where an earlier release recorded the end. */
  readonly endedAt: number | null;
  /** The payment processor's code for the advertiser's reason to cancel (`too_expensive`). */
  readonly cancellationFeedback: string | null;
}

const DAY_MS = 86_400_000;
const NEVER_BEGAN: readonly SubscriptionStatus[] = ["Incomplete", "IncompleteExpired"];

/** Whether an approved ad on the subscription is served at `now`; with `adStatus`, an ad in that status. */
export function isServing(facts: BillingFacts, now: ProcessorTime, adStatus: AdStatus = "Approved"): boolean {
  return isEligible({ ...facts, adStatus, subscriptionStatus: facts.status }, now);
}

/** When a serving subscription stops as planned; null for one that continues, and for one that is not serving. */
export function endsAt(facts: BillingFacts, now: ProcessorTime): number | null {
  return isServing(facts, now) ? plannedEnd(facts) : null;
}

/**
 * When a serving subscription is next billed: at the end of its period, unless it ends by then. Also null
 * after the end of a period until the payment processor reports the next one, and while charges wait for an approval.
 */
export function renewsAt(facts: BillingFacts, now: ProcessorTime): number | null {
  const { currentPeriodEnd } = facts;
  if (!isServing(facts, now) || facts.awaitsApproval || currentPeriodEnd === null || currentPeriodEnd <= now)
    return null;
  const end = plannedEnd(facts);
  return end === null || end > currentPeriodEnd ? currentPeriodEnd : null;
}

/**
 * When the subscription lapsed: when it ended; where that is not known at its planned end if that has come, else when it was canceled. Null while it is
 * held, which a paused one is, and one whose payment fails: both may come back.
 */
export function lapsedAt(facts: BillingFacts, now: ProcessorTime): number | null {
  const end = plannedEnd(facts);
  const isOver = end !== null && end <= now;
  if (facts.status === "Canceled")
    return facts.endedAt ?? (isOver ? end : (facts.canceledAt ?? facts.createdAt));
  return isOver && (facts.status === "Active" || facts.status === "Trialing") ? end : null;
}

/** Whether it was ever more than an attempt to buy. */
export function hasBegun(facts: BillingFacts): boolean {
  return !NEVER_BEGAN.includes(facts.status);
}

/** What a period costs: after discounts where that is known. Several renewals that were paid may make the current period. */
export function periodAmount(facts: BillingFacts): number {
  const { paidAmount, price, status, currentPeriodStart: start, currentPeriodEnd: end } = facts;
  if (paidAmount === null) return price.amount;
  const length = start === null || end === null || status === "Trialing" ? 0 : end - start;
  return paidAmount / Math.max(1, Math.round(length / periodLength(facts)));
}

/** What it brings in an average month, not rounded. */
export function monthlyAmount(facts: BillingFacts): number {
  return periodAmount(facts) / monthsInPeriod(facts.price.interval, facts.price.intervalCount);
}

/**
 * What has been charged over its life and not refunded: the ledger's figures and, at their price, the periods before its first
 * invoice. Where there is none: all periods begun after the trial times their price.
 */
export function lifetimeAmount(facts: BillingFacts, now: ProcessorTime): number {
  if (facts.chargedAmount === null) return chargedPeriods(facts, now) * periodAmount(facts);
  const unrecorded = facts.chargedSince === null ? 0 : periodsUntil(facts, facts.chargedSince);
  return Math.max(0, facts.chargedAmount - facts.refundedAmount) + unrecorded * periodAmount(facts);
}

/**
 * A period is charged as it begins. Months differ in length, so whole periods come from rounding where the start of
 * the current one is known; otherwise every period begun by now, or by the lapse, counts.
 */
function chargedPeriods(facts: BillingFacts, now: ProcessorTime): number {
  if (!hasBegun(facts) || facts.status === "Trialing") return 0;
  const firstCharge = firstChargeAt(facts);
  const end = lapsedAt(facts, now) ?? now;
  if (firstCharge > end || (facts.trialEnd !== null && firstCharge === end)) return 0;
  const before =
    facts.currentPeriodStart === null
      ? Math.floor((end - firstCharge) / periodLength(facts))
      : periodsUntil(facts, facts.currentPeriodStart);
  return isOverdue(facts.status) ? before : before + 1;
}

/** How many periods began before the one that begins about then. */
function periodsUntil(facts: BillingFacts, start: number): number {
  return Math.max(0, Math.round((start - firstChargeAt(facts)) / periodLength(facts)));
}

function firstChargeAt(facts: BillingFacts): number {
  return facts.trialEnd ?? facts.createdAt;
}

/** In milliseconds, by the average month. */
function periodLength({ price }: BillingFacts): number {
  return monthsInPeriod(price.interval, price.intervalCount) * DAYS_PER_MONTH * DAY_MS;
}
