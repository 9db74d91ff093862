import { type Bill, type PausedPeriod, pausedPeriod } from "./charging.ts";
import { graceEnd } from "./eligibility.ts";
import type { ProcessorTime } from "./moment.ts";
import type { AdStatus } from "./review.ts";
import { isLastPeriod, isOverdue, plannedEnd, type SubscriptionStatus } from "./subscription.ts";

/** The facts of a subscription that has not ended. Times in milliseconds since the epoch, on the processor's clock. */
export interface OutlookFacts {
  readonly status: SubscriptionStatus;
  /** The price of a period; 0 is free. */
  readonly amount: number;
  /** Null before the first submission. */
  readonly adStatus: AdStatus | null;
  /** Whether the ad has ever been on the air. */
  readonly hasRun: boolean;
  readonly currentPeriodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly isPeriodVoid: boolean;
  /** Whether the current period was paid, or costs nothing. */
  readonly isPaid: boolean;
  readonly renewalFailedAt: number | null;
  readonly graceDays: number;
  readonly stoppedAt: number | null;
  readonly stopBill: Bill | null;
}

/**
 * What the buyer gets for the payment that is due. `rest`: the rest of its period. `new period`: the grace takes all of the period that is
 * owed, so a new one begins, which is charged as well. `nothing`: the same, but the subscription was canceled and ends.
 */
export type Brings = "rest" | "new period" | "nothing";

/** When a subscription ends that was canceled; `isRenewed` is whether more periods are charged until then. */
export interface PlannedEnd {
  readonly at: Date;
  readonly isRenewed: boolean;
}

/**
 * What follows for a subscription that has not ended, if nobody changes anything else: the one source of what letters and pages say of
 * later charges and days.
 */
export type Outlook = {
  /** Whether its ad is approved and has been on the air, so that it is shown while the subscription lets it. */
  readonly hasAd: boolean;
  /** What the current period costs. */
  readonly costs: "its price" | "nothing in the trial" | "nothing";
  /** Null while it simply continues. */
  readonly end: PlannedEnd | null;
} & (
  | { readonly state: "running" }
  /** A payment has failed; `liveUntil` is the end of the grace in which the ad stays on the air, null if it is off. */
  | { readonly state: "owed"; readonly brings: Brings; readonly liveUntil: Date | null }
  /** Paused; `period` is what a resumption has of its period. */
  | { readonly state: "paused"; readonly period: PausedPeriod }
);

/** The outlook of a subscription; `facts` must not be of one that has ended. */
export function outlook(facts: OutlookFacts, now: ProcessorTime): Outlook {
  const { status, amount, adStatus, hasRun, isPeriodVoid, stopBill, isPaid } = facts;
  const common = { hasAd: adStatus === "Approved" && hasRun, costs: costsOf(facts), end: endOf(facts) };
  if (status === "Paused") {
    // A pause at the processor that was not taken over yet has written nothing down.
    const bill = stopBill ?? (isPaid ? "paid" : "open");
    return { ...common, state: "paused", period: pausedPeriod({ amount, isPeriodVoid, bill }) };
  }
  if (!isOverdue(status)) return { ...common, state: "running" };
  const graceEndsAt = graceEnd({ ...facts, periodEnd: facts.currentPeriodEnd });
  const isLive = common.hasAd && graceEndsAt !== null && graceEndsAt > now;
  return {
    ...common,
    state: "owed",
    brings: bringsOf(facts, graceEndsAt),
    liveUntil: isLive ? new Date(graceEndsAt) : null,
  };
}

function costsOf({ status, amount }: OutlookFacts): Outlook["costs"] {
  if (amount === 0) return "nothing";
  return status === "Trialing" ? "nothing in the trial" : "its price";
}

function endOf(facts: OutlookFacts): PlannedEnd | null {
  const end = plannedEnd(facts);
  return end === null ? null : { at: new Date(end), isRenewed: !isLastPeriod(facts) };
}

function bringsOf(facts: OutlookFacts, graceEndsAt: number | null): Brings {
  const isLast = isLastPeriod(facts);
  // In a stop the planned end is that of a later period, and a fixed one may come before the end of this one.
  const ends = [facts.currentPeriodEnd, isLast ? plannedEnd(facts) : null].filter((end) => end !== null);
  if (graceEndsAt === null || graceEndsAt < Math.min(...ends)) return "rest";
  return isLast ? "nothing" : "new period";
}
