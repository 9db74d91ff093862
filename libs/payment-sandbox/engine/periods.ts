import { periodEnd } from "#libs/domain/period-end.ts";
import type { Subscription, SubscriptionItem } from "./records.ts";

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
