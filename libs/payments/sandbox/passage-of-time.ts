import { dueAt } from "./due.ts";
import { bill, endSubscription, expireCheckout, itemOf } from "./lifecycle.ts";
import { endOfPeriod } from "./new-subscription.ts";
import type { Subscription } from "./records.ts";
import type { World } from "./world.ts";

/** Periods caught up with in one go, so that a clock far ahead cannot hold the process. */
const MOST_RENEWALS = 500;

/** Does everything that has become due: sessions expire, subscriptions end or go into their next period. */
export function settleWhatIsDue(world: World): void {
  const now = world.now();
  const checkouts = world.state.listDue("checkout", now);
  const subscriptions = world.state.listDue("subscription", now);
  if (checkouts.length === 0 && subscriptions.length === 0) return;
  world.write(() => {
    for (const checkout of checkouts) {
      if (checkout.session.status === "open") expireCheckout(world, checkout);
      else world.state.remove("checkout", checkout.id);
    }
    for (const subscription of subscriptions) catchUp(world, subscription, now);
  });
}

function catchUp(world: World, subscription: Subscription, now: number): void {
  let current = subscription;
  for (let renewals = 0; renewals < MOST_RENEWALS && isDue(current, now); renewals++) {
    current = current.cancel_at_period_end ? end(world, current) : renew(world, current);
  }
}

function isDue(subscription: Subscription, now: number): boolean {
  return (dueAt("subscription", subscription) ?? Number.POSITIVE_INFINITY) <= now;
}

function end(world: World, subscription: Subscription): Subscription {
  const details = subscription.cancellation_details;
  const reason = "cancellation_requested";
  return endSubscription(world, subscription, {
    comment: details?.comment ?? null,
    feedback: details?.feedback ?? null,
    feedback_option: null,
    reason,
  });
}

function renew(world: World, subscription: Subscription): Subscription {
  const item = itemOf(subscription);
  const anchor = subscription.billing_cycle_anchor;
  const start = item.current_period_end;
  let periods = 1;
  while (endOfPeriod(item.price, anchor, periods) <= start) periods += 1;
  const next: Subscription = {
    ...subscription,
    status: "active",
    items: {
      ...subscription.items,
      data: [
        {
          ...item,
          current_period_start: start,
          current_period_end: endOfPeriod(item.price, anchor, periods),
        },
      ],
    },
  };
  const customer = world.state.find("customer", String(subscription.customer));
  if (customer === undefined) throw new Error(`Subscription ${subscription.id} has no customer.`);
  const amount = item.price.unit_amount ?? 0;
  const invoice = bill(world, next, { amount, customer, reason: "subscription_cycle" });
  world.emit("customer.subscription.updated", next);
  world.emit(invoice.status === "paid" ? "invoice.paid" : "invoice.voided", invoice);
  return next;
}
