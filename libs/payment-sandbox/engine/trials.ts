import { periodEnd } from "#libs/domain/period-end.ts";
import type { Engine } from "./engine.ts";
import { draftInvoice, finalizeInvoice } from "./invoices.ts";
import { itemOf } from "./periods.ts";
import type { Subscription } from "./records.ts";
import { advanceInvoice, changeSubscription } from "./subscriptions.ts";

/** Seconds before the end of a trial at which Stripe announces it. */
export const TRIAL_NOTICE = 3 * 86_400;

/** Ends a trial now, as `beginPeriod`; without a trial nothing but `change` is done. */
export function endTrial(engine: Engine, before: Subscription, change: Subscription): Subscription {
  if (before.status !== "trialing") return changeSubscription(engine, before, change);
  return beginPeriod(engine, before, { ...change, trial_end: engine.now() });
}

/**
 * Begins a period now, whose invoice is charged at once. Where the card is declined the subscription is past due. Nothing is given
 * back for a period that is cut short.
 */
export function beginPeriod(engine: Engine, before: Subscription, change: Subscription): Subscription {
  const now = engine.now();
  const { items } = change;
  const { price, ...item } = itemOf(change);
  const period = { current_period_start: now, current_period_end: periodEnd(now, price.recurring) };
  const started = changeSubscription(engine, before, {
    ...change,
    ...endAt(change, period.current_period_end),
    status: "active",
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

/** A cancellation for the end of the period follows it. */
function endAt(change: Subscription, end: number): Partial<Subscription> {
  return change.cancel_at_period_end ? { cancel_at: end } : {};
}

/** Moves the end of a trial, and with it the next charge, or puts a running subscription on trial. An invoice of 0 says so. */
export function moveTrialEnd(
  engine: Engine,
  before: Subscription,
  change: Subscription,
  end: number,
): Subscription {
  const { items } = change;
  const now = engine.now();
  const item = { ...itemOf(change), current_period_start: now, current_period_end: end };
  engine.records.save("reminder", { id: before.id, at: Math.max(now, end - TRIAL_NOTICE) });
  const moved = changeSubscription(engine, before, {
    ...change,
    ...endAt(change, end),
    status: "trialing",
    trial_end: end,
    billing_cycle_anchor: end,
    items: { ...items, data: [item] },
  });
  finalizeInvoice(engine, draftInvoice(engine, moved, "subscription_update"));
  return engine.records.get("subscription", moved.id);
}
