import { bill, endSubscription, expireCheckout, itemOf } from "./lifecycle.ts";
import { endOfPeriod } from "./new-subscription.ts";
import type { Subscription } from "./records.ts";
import type { World } from "./world.ts";

const LIVE = ["active", "trialing", "past_due"];
/** Periods caught up with in one go, so that a clock far ahead cannot hold the process. */
const MOST_RENEWALS = 500;

/** Does everything that has become due: sessions expire, subscriptions end or go into their next period. */
export function settleWhatIsDue(world: World): void {
  const now = world.now();
  const sessions = world.state
    .list("checkout")
    .filter(({ session }) => session.status === "open" && session.expires_at <= now);
  const subscriptions = world.state.list("subscription").filter((subscription) => isDue(subscription, now));
  if (sessions.length === 0 && subscriptions.length === 0) return;
  world.write(() => {
    for (const session of sessions.toReversed()) expireCheckout(world, session);
    for (const subscription of subscriptions.toReversed()) catchUp(world, subscription, now);
  });
}

function isDue(subscription: Subscription, now: number): boolean {
  return LIVE.includes(subscription.status) && itemOf(subscription).current_period_end <= now;
}

function catchUp(world: World, subscription: Subscription, now: number): void {
  let current = subscription;
  for (let renewals = 0; renewals < MOST_RENEWALS && isDue(current, now); renewals++) {
    current = current.cancel_at_period_end ? end(world, current) : renew(world, current);
  }
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
