import { isUnsold } from "./charging.ts";
import type { ProcessorTime } from "./moment.ts";
import type { ChargeAt } from "./settings.ts";
import { plannedEnd, type SubscriptionStatus } from "./subscription.ts";

/** What was known of a subscription when its account at the processor was closed or disconnected. Times in milliseconds since the epoch. */
interface LostSubscription {
  readonly status: SubscriptionStatus;
  readonly chargeAt: ChargeAt;
  readonly awaitsApproval: boolean;
  readonly isPeriodVoid: boolean;
  readonly isStopped: boolean;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
}

/** How long an account or an object must be gone before it counts as lost: a shorter absence may be the processor's error, or a wrong key. */
const LOST_AFTER_MS = 24 * 60 * 60_000;

/** Whether what the processor says is gone, since then, is not expected back. */
export function isLostSince(goneSince: number, now: ProcessorTime): boolean {
  return now - goneSince >= LOST_AFTER_MS;
}

/** The reason for the end of a subscription of which the processor tells nothing any more, beside the processor's own words. */
export const ACCOUNT_DISCONNECTED = "account_disconnected";

/** The same where the publisher has ended it: it does not go on if the account comes back. */
export const ENDED_WHILE_DISCONNECTED = "ended_while_account_disconnected";

/** The reasons of subscriptions that end, or ended, without their account, where they may live on. */
export const ENDS_WITHOUT_ACCOUNT: readonly string[] = [ACCOUNT_DISCONNECTED, ENDED_WHILE_DISCONNECTED];

/** Whether a subscription ends, or ended, without its account. */
export function endsWithoutAccount(cancellationReason: string | null): boolean {
  return cancellationReason !== null && ENDS_WITHOUT_ACCOUNT.includes(cancellationReason);
}

/**
 * When a subscription ends whose account is gone, so that no later payment can be seen or made: with the time that is paid. Where none
 * runs it ends `now`.
 */
export function endOfLost(lost: LostSubscription, now: ProcessorTime): number {
  const { status, isStopped, currentPeriodEnd: end } = lost;
  const runs = (status === "Active" || status === "Trialing") && !isStopped && !isUnsold(lost);
  return runs && end !== null ? Math.min(plannedEnd(lost) ?? end, end) : now;
}
