import type { Stripe } from "stripe";
import { type WrittenPeriod, writtenStop } from "./stripe-periods.ts";

/** No fixed end, in metadata: an empty value would remove the key. */
const NONE = "-";

/**
 * Whether it ends with its period. With flexible billing, the default since 2025-09-30, the customer portal writes the end of the period as
 * a fixed time (https://docs.stripe.com/billing/subscriptions/billing-mode/compare). In a stop the processor's period moves on, and may
 * come to end where a later end was fixed before.
 */
export function endsWithPeriod(subscription: Stripe.Subscription): boolean {
  const { cancel_at_period_end, cancel_at, items, metadata } = subscription;
  if (cancel_at_period_end || cancel_at === null) return cancel_at_period_end;
  const wasFixed = writtenStop(subscription) !== null && metadata.end === String(cancel_at);
  return !wasFixed && cancel_at === items.data[0]?.current_period_end;
}

/**
 * Metadata for the fixed end that a subscription has when it is stopped in a period, unless it ends with that. Earlier releases ignore its
 * key.
 */
export function endMetadata(stopped: Stripe.Subscription, period: WrittenPeriod) {
  const { cancel_at_period_end, cancel_at, canceled_at, items, metadata } = stopped;
  if (writtenStop(stopped) !== null && metadata.end !== undefined) return {};
  if (cancel_at === null || cancel_at_period_end) return { end: NONE };
  // A stop may be written late: who has canceled since its period ended means the one after it.
  const isSetSince = canceled_at !== null && canceled_at * 1000 >= period.end;
  // Where the end cuts the period that was sold last, the item may have the whole one.
  const isOfPeriod =
    (isSetSince || cancel_at * 1000 === period.end) && cancel_at === items.data[0]?.current_period_end;
  return { end: isOfPeriod ? NONE : String(cancel_at) };
}

/**
 * When a stopped subscription ends that continues `stoppedFor` seconds later, in seconds since the epoch; null if with its period or not at
 * all. An end from before the stop moves with the paid time, one that was set during the stop does not.
 */
export function endAfterStop(stopped: Stripe.Subscription, stoppedFor: number): number | null {
  const { cancel_at: end, metadata } = stopped;
  if (end === null || endsWithPeriod(stopped)) return null;
  // Stops of earlier releases do not say which end there was.
  const isFromBefore = metadata.end === undefined || metadata.end === String(end);
  return isFromBefore ? end + stoppedFor : end;
}
