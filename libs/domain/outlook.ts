import { type Bill, chargesNoMore, type PausedPeriod, pausedPeriod } from "./charging.ts";
import { type GraceChange, graceEnd } from "./eligibility.ts";
import type { ProcessorTime } from "./moment.ts";
import type { AdStatus } from "./review.ts";
import type { ChargeAt } from "./settings.ts";
import { isOverdue, plannedEnd, type SubscriptionStatus } from "./subscription.ts";

/** The facts of a subscription that has not ended. Times in milliseconds since the epoch, on the processor's clock. */
export interface OutlookFacts {
  readonly status: SubscriptionStatus;
  readonly chargeAt: ChargeAt;
  readonly awaitsApproval: boolean;
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
  readonly graceChanges: readonly GraceChange[];
  readonly stoppedAt: number | null;
  readonly stopBill: Bill | null;
}

/**
 * What the buyer gets for the due payment:
 *
 * - `rest`: the rest of its period
 * - `new period`: a new period, which is charged as well, because the grace takes all of the owed one
 * - `nothing`: the grace takes all of the owed period, and the subscription was canceled and ends
 */
export type Brings = "rest" | "new period" | "nothing";

/** The end of a canceled subscription; `isRenewed` is whether more periods are charged before it. */
export interface PlannedEnd {
  readonly at: Date;
  readonly isRenewed: boolean;
}

/**
 * What a subscription that has not ended will charge and show, if nobody changes anything else. Letters and pages take what they say of
 * later charges and days from here alone.
 */
export type Outlook = {
  /** Whether its ad is approved and has been on the air. Such an ad is shown whenever the subscription allows it. */
  readonly hasAd: boolean;
  /** What the current period costs. */
  readonly costs: "its price" | "nothing in the trial" | "nothing";
  /** Null while it simply continues. */
  readonly end: PlannedEnd | null;
} & (
  | { readonly state: "running" }
  /** A payment has failed; `liveUntil` is the end of the grace in which the ad stays on the air, null if it is off. */
  | { readonly state: "owed"; readonly brings: Brings; readonly liveUntil: Date | null }
  /** Paused; `period` is what it has of its period once it is resumed. */
  | { readonly state: "paused"; readonly period: PausedPeriod }
);

/** The outlook of a subscription that has not ended. */
export function outlook(facts: OutlookFacts, now: ProcessorTime): Outlook {
  const { status, amount, adStatus, hasRun, isPeriodVoid, stopBill, isPaid } = facts;
  const common = { hasAd: adStatus === "Approved" && hasRun, costs: costsOf(facts), end: endOf(facts) };
  if (status === "Paused") {
    // A pause made at the processor has no recorded bill until it is taken over.
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
  return end === null ? null : { at: new Date(end), isRenewed: !chargesNoMore(facts) };
}

function bringsOf(facts: OutlookFacts, graceEndsAt: number | null): Brings {
  const isLast = chargesNoMore(facts);
  // During a stop the planned end may be that of a later period. A fixed end may come before the end of this period.
  const ends = [facts.currentPeriodEnd, isLast ? plannedEnd(facts) : null].filter((end) => end !== null);
  if (graceEndsAt === null || graceEndsAt < Math.min(...ends)) return "rest";
  return isLast ? "nothing" : "new period";
}
