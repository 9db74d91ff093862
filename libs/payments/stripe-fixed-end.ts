import type { Stripe } from "stripe";
import { writtenStop } from "./stripe-periods.ts";

/** No fixed end, in metadata: an empty value would remove the key. */
const NONE = "-";

/**
 * Whether it ends with its period. With flexible billing, the default since 2025-09-30, the customer portal writes the end of the period as
 * a fixed time (https://docs.stripe.com/billing/subscriptions/billing-mode/compare).
 */
export function endsWithPeriod({ cancel_at_period_end, cancel_at, items }: Stripe.Subscription): boolean {
  return cancel_at_period_end || (cancel_at !== null && cancel_at === items.data[0]?.current_period_end);
}

/** Metadata for the fixed end that a subscription has when it is stopped. Earlier releases ignore its key. */
export function endMetadata(stopped: Stripe.Subscription) {
  const isKnown = writtenStop(stopped) !== null && stopped.metadata.end !== undefined;
  if (isKnown) return {};
  return { end: String((endsWithPeriod(stopped) ? null : stopped.cancel_at) ?? NONE) };
}

/**
 * When a stopped subscription ends that continues `stoppedFor` seconds later, in seconds since the epoch; null if with its period or not at
 * all. An end from before the stop moves with the paid time, one that was set during the stop does not.
 */
export function endAfterStop(stopped: Stripe.Subscription, stoppedFor: number): number | null {
  const { cancel_at: end, cancel_at_period_end: isAtPeriodEnd, metadata } = stopped;
  if (end === null || isAtPeriodEnd) return null;
  if (metadata.end === String(end)) return end + stoppedFor;
  if (endsWithPeriod(stopped)) return null;
  // Stops of earlier releases do not say which end there was.
  return metadata.end === undefined ? end + stoppedFor : end;
}
