import type { Moment, ProcessorTime } from "./moment.ts";
import type { AdStatus } from "./review.ts";
import { isOverdue, plannedEnd, type SubscriptionStatus } from "./subscription.ts";

/** The facts that decide whether an ad may be served. Times are on the processor's clock, in milliseconds since the epoch. */
export interface ServingFacts {
  readonly adStatus: AdStatus;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
  /** `graceEnd` of the subscription. */
  readonly graceEndsAt: number | null;
  /** Whether nothing was paid for the current period: its charge waits for the ad's approval, or its invoice was voided. */
  readonly awaitsCharge: boolean;
  /** End of the paid time of a subscription whose renewals are held until the approval; null if they are not held. */
  readonly heldUntil: number | null;
}

export interface Reason {
  readonly code: "NOT_APPROVED" | "PERIOD_ENDED" | `SUBSCRIPTION_${string}`;
  readonly message: string;
}

/** The current or the last time of eligibility, in real time; `until` is null while no end is known. */
export interface ServingSpan {
  readonly since: number | null;
  readonly until: number | null;
}

const SERVING: readonly SubscriptionStatus[] = ["Active", "Trialing"];
const DAY_MS = 86_400_000;

/** A change of a publisher's grace: when it was made, and the days that the grace had until then. */
export interface GraceChange {
  readonly at: number;
  readonly daysBefore: number;
}

/**
 * When the grace of a failed renewal ends; null unless one is unpaid. It counts from the first attempt at the oldest
 * unpaid renewal, so further failures do not extend it, and ends with the period of that renewal at the latest: no more than one
 * renewal is ever owed. A change of the setting applies to it if it has not ended by then, and shortens it to that moment at most: the ad
 * was on the air until then. A grace that has ended stays ended: `stoppedAt` is its recorded end.
 */
export function graceEnd({
  status,
  renewalFailedAt,
  graceDays,
  graceChanges,
  periodEnd,
  stoppedAt,
}: {
  readonly status: SubscriptionStatus;
  readonly renewalFailedAt: number | null;
  readonly graceDays: number;
  /** Oldest first. */
  readonly graceChanges: readonly GraceChange[];
  /** The end of the period that is unpaid. */
  readonly periodEnd: number | null;
  readonly stoppedAt: number | null;
}): number | null {
  if (!isOverdue(status) || renewalFailedAt === null) return null;
  if (stoppedAt !== null) return stoppedAt;
  const changes = graceChanges.filter(({ at }) => at > renewalFailedAt);
  /** The end by the days that the setting had until the change of that number. */
  const endBefore = (change: number) => {
    const days = changes[change]?.daysBefore ?? graceDays;
    return Math.min(renewalFailedAt + days * DAY_MS, periodEnd ?? Number.POSITIVE_INFINITY);
  };
  let end = endBefore(0);
  for (const [number, { at }] of changes.entries()) {
    if (end <= at) return end;
    end = Math.max(at, endBefore(number + 1));
  }
  return end;
}

/**
 * When an ad that is served now stops, as far as is known: at its planned end, with the grace of a failed renewal, or with the time that
 * is paid for.
 */
export function servingEnd(facts: ServingFacts): number | null {
  const ends = [plannedEnd(facts), facts.graceEndsAt, facts.heldUntil].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/**
 * Why an ad is not served at `now`; empty when it is eligible. Archiving the tier is no reason: it ends the sale, not
 * the ads already bought.
 */
export function reasonsNotServed(facts: ServingFacts, now: ProcessorTime): Reason[] {
  const reasons: Reason[] = [];
  if (facts.adStatus !== "Approved") {
    reasons.push({
      code: "NOT_APPROVED",
      message: facts.adStatus === "Pending" ? "Waiting for approval." : "The ad was rejected.",
    });
  }
  const isInGrace =
    isOverdue(facts.subscriptionStatus) && facts.graceEndsAt !== null && now < facts.graceEndsAt;
  if (!SERVING.includes(facts.subscriptionStatus) && !isInGrace) {
    const words = facts.subscriptionStatus.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    reasons.push({
      code: `SUBSCRIPTION_${words.replaceAll(" ", "_").toUpperCase()}`,
      message: `The subscription is ${words}.`,
    });
  }
  const isUncharged = facts.awaitsCharge || (facts.heldUntil !== null && facts.heldUntil <= now);
  if (isUncharged && facts.adStatus === "Approved" && SERVING.includes(facts.subscriptionStatus)) {
    reasons.push({
      code: "SUBSCRIPTION_NOT_CHARGED",
      message: "The current period has not been charged yet.",
    });
  }
  const end = plannedEnd(facts);
  if (end !== null && end <= now) {
    reasons.push({ code: "PERIOD_ENDED", message: "The last paid period has ended." });
  }
  return reasons;
}

/** Whether the ad may be served at `now`. */
export function isEligible(facts: ServingFacts, now: ProcessorTime): boolean {
  return reasonsNotServed(facts, now).length === 0;
}

/**
 * The span after a change of the facts or of the processor's clock: a new one begins when the ad becomes eligible, the running
 * one ends when it no longer is, and its known end follows the facts.
 */
export function nextSpan(span: ServingSpan, facts: ServingFacts, { now, atProcessor }: Moment): ServingSpan {
  const running = isWithin(span, now);
  if (isEligible(facts, atProcessor)) {
    const end = servingEnd(facts);
    return { since: running ? span.since : now, until: end === null ? null : end - (atProcessor - now) };
  }
  // The end that a clock set back gives to a span comes before its beginning, which then moves with it.
  return running ? { since: Math.min(span.since ?? now, now), until: now } : span;
}

/**
 * Whether the span has begun and `now`, in real time, comes before its end. Each span begins at the `now` of its making, so one that seems
 * to begin later was made by a clock that has since been set back, or by one that is ahead of this one: it has begun.
 */
export function isWithin(span: ServingSpan, now: number): boolean {
  return span.since !== null && (span.until === null || now < span.until);
}
