import type { Price, Subscription, SubscriptionItem } from "./records.ts";

const DAY_MS = 86_400_000;

/**
 * The end of the n-th period after an anchor, both in seconds. Months and years end on the anchor's day, or on the month's
 * last. Each end is counted from the anchor: 31 January is followed by 28 February, and that by 31 March.
 */
export function periodEnd(
  anchor: number,
  { interval, interval_count }: Price["recurring"],
  periods = 1,
): number {
  const steps = interval_count * periods;
  const from = new Date(anchor * 1000);
  if (interval === "day") return anchor + (steps * DAY_MS) / 1000;
  if (interval === "week") return anchor + (steps * 7 * DAY_MS) / 1000;
  const months = interval === "month" ? steps : steps * 12;
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const midnight = Date.UTC(from.getUTCFullYear(), month, day);
  return (midnight + (from.getTime() % DAY_MS)) / 1000;
}

/** The period after the subscription's current one, counted from its anchor so that no day is lost. */
export function nextPeriod(subscription: Subscription): { readonly start: number; readonly end: number } {
  const { current_period_end: start, price } = itemOf(subscription);
  const { billing_cycle_anchor: anchor } = subscription;
  let periods = 1;
  while (periodEnd(anchor, price.recurring, periods) <= start) periods += 1;
  return { start, end: periodEnd(anchor, price.recurring, periods) };
}

/** The only item of a subscription: the sandbox sells one price at a time. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const item = subscription.items.data[0];
  if (item === undefined) throw new Error(`Subscription ${subscription.id} has no item.`);
  return item;
}
