import type { ProcessorTime } from "./moment.ts";
import type { AdStatus } from "./review.ts";
import type { ChargeAt } from "./settings.ts";
import type { SubscriptionStatus } from "./subscription.ts";

/** The facts that decide whether the processor may charge a subscription. Times in milliseconds since the epoch. */
export interface ChargingFacts {
  readonly status: SubscriptionStatus;
  readonly chargeAt: ChargeAt;
  /** Whether the processor holds its charges until its ad is approved for the first time. */
  readonly awaitsApproval: boolean;
  readonly trialEnd: number | null;
  /** Whether an end is planned. */
  readonly isCanceling: boolean;
  /** The price of a period; 0 is free. */
  readonly amount: number;
  /** Null before the first submission. An approved ad never becomes `Pending` again. */
  readonly adStatus: AdStatus | null;
}

/** What has to be done at the processor, so that it charges for ads that were approved and for no others. */
export type ChargingStep = "hold" | "release" | "start" | "give up" | "end";

/** A card that was saved and not charged is given up this long before the processor would charge it by itself. */
const GIVEN_UP_BEFORE_MS = 30 * 86_400_000;
const HOLDABLE: readonly SubscriptionStatus[] = ["Active", "Trialing", "PastDue", "Unpaid"];

/** The step that a subscription needs; null for none. */
export function chargingStep(facts: ChargingFacts, now: ProcessorTime): ChargingStep | null {
  const { status, chargeAt, awaitsApproval, trialEnd, isCanceling, amount, adStatus } = facts;
  if (!HOLDABLE.includes(status) || adStatus === "Rejected") return null;
  // An advertiser who cancels before the first charge must never be charged: the period that would end first has not been sold.
  if (chargeAt === "approval" && awaitsApproval && isCanceling) return "end";
  if (adStatus === "Approved") {
    if (!awaitsApproval) return null;
    return chargeAt === "approval" ? "start" : "release";
  }
  if (amount === 0) return null;
  if (chargeAt === "purchase") return awaitsApproval ? null : "hold";
  const isGivenUp = status === "Trialing" && trialEnd !== null && trialEnd - now < GIVEN_UP_BEFORE_MS;
  return awaitsApproval && isGivenUp ? "give up" : null;
}
