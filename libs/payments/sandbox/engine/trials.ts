import type { Engine } from "./engine.ts";
import { draftInvoice, finalizeInvoice } from "./invoices.ts";
import { itemOf, periodEnd } from "./periods.ts";
import type { Subscription } from "./records.ts";
import { advanceInvoice, changeSubscription, TRIAL_NOTICE } from "./subscriptions.ts";

/**
 * Ends a trial now: the first period begins, and its invoice is charged at once. Where the card is declined the
 * subscription is past due. Without a trial nothing but `change` is done.
 */
export function endTrial(engine: Engine, before: Subscription, change: Subscription): Subscription {
  if (before.status !== "trialing") return changeSubscription(engine, before, change);
  const now = engine.now();
  const { items } = change;
  const { price, ...item } = itemOf(change);
  const period = { current_period_start: now, current_period_end: periodEnd(now, price.recurring) };
  const started = changeSubscription(engine, before, {
    ...change,
    status: "active",
    trial_end: now,
    billing_cycle_anchor: now,
    items: { ...items, data: [{ ...item, price, ...period }] },
  });
  engine.records.remove("reminder", started.id);
  const draft = draftInvoice(engine, started, "subscription_update");
  // What is drafted while collection is paused is voided.
  if (started.pause_collection !== null) advanceInvoice(engine, draft);
  else advanceInvoice(engine, finalizeInvoice(engine, draft));
  return engine.records.get("subscription", started.id);
}

/** Moves the end of a trial, and with it the first charge. */
export function moveTrialEnd(
  engine: Engine,
  before: Subscription,
  change: Subscription,
  end: number,
): Subscription {
  const { items } = change;
  const item = { ...itemOf(change), current_period_end: end };
  engine.records.save("reminder", { id: before.id, at: Math.max(engine.now(), end - TRIAL_NOTICE) });
  return changeSubscription(engine, before, {
    ...change,
    status: "trialing",
    trial_end: end,
    billing_cycle_anchor: end,
    items: { ...items, data: [item] },
  });
}
