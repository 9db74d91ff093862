import type { ChargeAt } from "./settings.ts";
import { hasEnded, type SubscriptionStatus } from "./subscription.ts";

interface HeldPurchase {
  readonly status: SubscriptionStatus;
  readonly chargeAt: ChargeAt;
  readonly awaitsApproval: boolean;
  /** Of the price. */
  readonly amount: number;
}

/**
 * Whether the current period was paid at checkout and passes while the ad waits for its first approval. An approval after its end
 * starts and charges a new period. False for a trial, in which nothing is paid.
 */
export function isPaidAhead({ status, chargeAt, awaitsApproval, amount }: HeldPurchase): boolean {
  return (
    chargeAt === "purchase" && awaitsApproval && amount > 0 && status !== "Trialing" && !hasEnded(status)
  );
}
