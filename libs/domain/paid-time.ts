import type { ProcessorTime } from "./moment.ts";
import { hasEnded, type SubscriptionStatus } from "./subscription.ts";

interface HeldPurchase {
  readonly status: SubscriptionStatus;
  readonly awaitsApproval: boolean;
  /** Nothing was paid for the current period: it came after the one that was paid at checkout. */
  readonly isPeriodVoid: boolean;
  /** Whether its time stands still: renewals that were paid before charges could wait begin with the approval. */
  readonly isStopped: boolean;
  /** In milliseconds since the epoch. */
  readonly currentPeriodEnd: number | null;
  /** The price of a period. */
  readonly amount: number;
}

/**
 * When the time ends that was paid and that passes while the ad waits for its first approval, in milliseconds since the
 * epoch; `over` afterwards, when an approval starts and charges a new period. Null where no such time passes, such as in a trial. After one it is
 * `over` as well, and nothing was paid.
 */
export function paidUntil(
  { status, awaitsApproval, isPeriodVoid, isStopped, currentPeriodEnd, amount }: HeldPurchase,
  now: ProcessorTime,
): number | "over" | null {
  const isHeld = awaitsApproval && status !== "Trialing" && !hasEnded(status);
  if (!isHeld || isStopped || amount === 0 || currentPeriodEnd === null) return null;
  return isPeriodVoid || currentPeriodEnd <= now ? "over" : currentPeriodEnd;
}
