import type { ProcessorTime } from "./moment.ts";
import type { AdStatus } from "./review.ts";
import type { ChargeAt } from "./settings.ts";
import {
  type Cancellation,
  hasEnded,
  isLastPeriod,
  isOverdue,
  type SubscriptionStatus,
} from "./subscription.ts";

/*
 * A buyer pays for exactly the time in which an ad may be on the air, and an ad is on the air only in time that is paid, free by its
 * price, in trial or in grace.
 *
 * period  the time [start, end) that one invoice, or the trial, pays for.
 * stop    from a moment on the ad is off the air, and the time of its period stands still. Nothing is charged meanwhile: the processor
 *         voids what it invoices for later periods.
 *
 *     runs ─pause by the publisher─────────────▶ stopped: paused ─resumed, paid─▶ runs, moved by the time off the air
 *       └─charge fails, and its grace has ended─▶ stopped: unpaid ─paid─────────▶ runs, moved likewise
 *     stopped: paused ─resumed, and its open charge fails─▶ stopped: unpaid, since the same moment
 *
 * If nothing is left of a period, or its invoice is void, it does not continue: a new one begins and is charged.
 */

/**
 * What a paused subscription has of its period once it is resumed:
 *
 * - `paid`: the rest, which is paid or in the trial
 * - `owed`: the rest, once the due payment is made
 * - `void`: nothing, so a new period begins and is charged
 * - `free`: the same as without the pause, because its price is 0
 */
export type PausedPeriod = "paid" | "owed" | "void" | "free";

/** Why the time of a period stands still, as the processor has it written: the publisher's pause, or a failed charge. */
export type WrittenStopReason = "paused" | "unpaid";
/** `resumed`: a pause that somebody ended at the processor, and that we have to end here. */
export type StopReason = WrittenStopReason | "resumed";

/** The invoice of a stopped period. Both `collected` and `open` are unpaid; the processor charges only `collected` by itself. */
export type Bill = "paid" | "open" | "collected" | "void";

export interface Stop {
  readonly reason: StopReason;
  /** Milliseconds since the epoch, on the processor's clock. */
  readonly at: number;
  readonly bill: Bill;
}

/** The facts that decide what the processor has to do about the charges of a subscription. Times in milliseconds since the epoch. */
export interface ChargingFacts {
  readonly status: SubscriptionStatus;
  readonly chargeAt: ChargeAt;
  /** Whether its charges are held until its ad is approved. */
  readonly awaitsApproval: boolean;
  readonly trialEnd: number | null;
  /** Whether an end is planned before another period would begin. */
  readonly isCanceling: boolean;
  /** The price of a period; 0 is free. */
  readonly amount: number;
  /** Null before the first submission. An approved ad never becomes `Pending` again. */
  readonly adStatus: AdStatus | null;
  /** `graceEnd` of the subscription. */
  readonly graceEndsAt: number | null;
  /** Whether the invoice of the current period was voided, so that nothing was paid for it. */
  readonly isPeriodVoid: boolean;
  /** Whether the processor collects what it invoices. */
  readonly isCollected: boolean;
  /** Whether a failed charge of an earlier period can still be paid. */
  readonly owesEarlier: boolean;
  readonly stop: Pick<Stop, "reason" | "bill"> | null;
  /** Whether the invoices of a subscription that has ended were settled. */
  readonly isCleared: boolean;
}

/** What has to be done at the processor, so that it charges for exactly the time in which an ad may be on the air. */
export type ChargingStep =
  /** Charge nothing before the approval. */
  | "hold"
  /** Charge again from the next period. */
  | "release"
  /** Begin a period now, and charge it. */
  | "start"
  /** Stop the time of a period whose charge has failed. */
  | "stop"
  /** End a stop: continue its period if that is paid, else try to charge it. */
  | "continue"
  /** Stop the time of a period whose collection was paused at the processor. */
  | "pause"
  /** Do not collect the open invoice of a paused period. */
  | "shelve"
  /** Void what is owed for earlier periods, which buys nothing any more: the current one is paid or void. */
  | "forgive"
  | "give up"
  /** Cancel it now. */
  | "end"
  /** Settle the invoices of a subscription that has ended: void what is unpaid, refund what was paid too late. */
  | "clear";

/** A card that was saved and not charged is given up this long before the processor would charge it by itself. */
const GIVEN_UP_BEFORE_MS = 30 * 86_400_000;
const HOLDABLE: readonly SubscriptionStatus[] = ["Active", "Trialing", "PastDue", "Unpaid"];

/** The step that a subscription needs next, or null. */
export function chargingStep(facts: ChargingFacts, now: ProcessorTime): ChargingStep | null {
  const { status, awaitsApproval, isCanceling, amount, adStatus, isPeriodVoid, stop } = facts;
  if (hasEnded(status)) return facts.isCleared ? null : "clear";
  // A rejection ends it. What lives all the same was out of reach then, as in an account that was gone.
  if (adStatus === "Rejected") return "end";
  // Renewals were paid before the hold. Their time begins with the approval.
  if (stop !== null && awaitsApproval) return adStatus === "Approved" ? "continue" : stepOfHeld(facts);
  if (stop !== null) return stepOfStopped(stop, facts);
  if (status === "Paused") return stepOfPaused(facts);
  if (!HOLDABLE.includes(status)) return null;
  // The current period is not sold. An advertiser who has canceled must not be charged for another one before the end.
  if (isCanceling && isUnsold(facts)) return "end";
  if (adStatus !== "Approved") return stepBeforeApproval(facts, now);
  if (awaitsApproval) return isUnsold(facts) ? "start" : "release";
  if (isPeriodVoid && amount > 0) return "start";
  if (isOverdue(status)) return isInGrace(facts, now) ? null : "stop";
  return facts.owesEarlier ? "forgive" : null;
}

/** Whether nothing was paid for the current period: its charge waits for the ad's approval, or its invoice was voided. */
export function isUnsold(facts: CardFacts & Pick<ChargingFacts, "isPeriodVoid">): boolean {
  return facts.isPeriodVoid || isCardSaved(facts);
}

type CardFacts = Pick<ChargingFacts, "status" | "chargeAt" | "awaitsApproval">;

/**
 * Whether a card is only saved until the ad's approval, in what the processor has as a long trial. Somebody may end that at the
 * processor, and a restored backup may lack an approval: then a period was charged, and is held like any other.
 */
export function isCardSaved({ status, chargeAt, awaitsApproval }: CardFacts): boolean {
  return chargeAt === "approval" && awaitsApproval && status === "Trialing";
}

/**
 * Whether a planned end comes before anything else is charged. The period of a card that is only saved is the time that a review may
 * take at most: what the approval begins is charged, also before a fixed end within that.
 */
export function chargesNoMore(facts: CardFacts & Cancellation<number>): boolean {
  return isCardSaved(facts) ? facts.cancelAtPeriodEnd : isLastPeriod(facts);
}

function stepBeforeApproval(facts: ChargingFacts, now: ProcessorTime): ChargingStep | null {
  const { awaitsApproval, trialEnd, amount, isCollected } = facts;
  if (amount === 0) return null;
  if (!isCardSaved(facts)) return awaitsApproval ? stepOfHeld(facts) : "hold";
  // What is held is not charged at its end.
  const isGivenUp = isCollected && trialEnd !== null && trialEnd - now < GIVEN_UP_BEFORE_MS;
  return isGivenUp ? "give up" : null;
}

/** The step after somebody has paused a subscription at the processor. Without it, the time of a paid period would run on. */
function stepOfPaused(facts: ChargingFacts): ChargingStep | null {
  const { adStatus, awaitsApproval, isCollected, isPeriodVoid, owesEarlier } = facts;
  if (adStatus !== "Approved" || awaitsApproval || isCollected) return null;
  if (!isPeriodVoid) return "pause";
  return owesEarlier ? "forgive" : null;
}

/** What a paused subscription has of its period; `bill` is null until a pause made at the processor is taken over. */
export function pausedPeriod({
  amount,
  isPeriodVoid,
  bill,
}: Pick<ChargingFacts, "amount" | "isPeriodVoid"> & { readonly bill: Bill | null }): PausedPeriod {
  if (amount === 0) return "free";
  if (isPeriodVoid || bill === "void") return "void";
  return bill === "open" || bill === "collected" ? "owed" : "paid";
}

/** Somebody may have resumed the collection at the processor. */
function stepOfHeld({ isCollected }: ChargingFacts): ChargingStep | null {
  return isCollected ? "hold" : null;
}

function stepOfStopped(
  { reason, bill }: Pick<Stop, "reason" | "bill">,
  { isCollected }: ChargingFacts,
): ChargingStep | null {
  if (reason === "paused") return bill === "collected" ? "shelve" : null;
  if (reason === "resumed" || bill !== "collected") return "continue";
  // Later periods must not be charged while this one is owed, even if somebody has resumed the collection at the processor.
  return isCollected ? "stop" : null;
}

function isInGrace({ graceEndsAt }: ChargingFacts, now: ProcessorTime): boolean {
  return graceEndsAt !== null && now < graceEndsAt;
}

/** The processor ends no period later than 730 days from now. A period of two years may have 731. */
const LONGEST_REST_MS = 730 * 86_400_000 - 60_000;

/**
 * The end of a stopped period that continues `now`: it moves by the time off the air, in whole seconds. Null if nothing of the period
 * is left.
 */
export function movedEnd(
  { at, end }: { readonly at: number; readonly end: number },
  now: ProcessorTime,
): number | null {
  const moved = end + wholeSeconds(Math.max(0, now - at));
  return at < end && moved > now ? Math.min(moved, wholeSeconds(now + LONGEST_REST_MS)) : null;
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
