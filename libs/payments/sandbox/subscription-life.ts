import {
  charge,
  current,
  draftInvoice,
  finalizeInvoice,
  giveUpInvoice,
  paymentMethodOf,
  voidInvoice,
} from "./billing.ts";
import { itemOf, nextPeriod } from "./new-subscription.ts";
import type { Invoice, PaymentMethod, Subscription } from "./records.ts";
import type { World } from "./world.ts";

/**
 * The life of a subscription:
 *
 *     incomplete ─paid─▶ active ◀─paid── past_due ─retries are over─▶ canceled, unpaid, or as it was
 *         └─23 hours─▶ incomplete_expired   ▲
 *     trialing ─trial ends─▶ active ────────┴ payment fails;   ─no card─▶ paused ─resume─▶ active
 *     any of them ─cancel, or the end of the period that was canceled─▶ canceled
 */

/** Days after the first, second and third failure until an invoice is tried again. */
const RETRY_AFTER_DAYS = [3, 5, 7];
const DAY = 86_400;

/** Saves a subscription and tells what changed; without a change it tells nothing. */
export function changeSubscription(
  world: World,
  before: Subscription,
  change: Partial<Subscription>,
): Subscription {
  const after = { ...before, ...change };
  const previous = changesOf(before, after);
  if (Object.keys(previous).length === 0) return before;
  world.records.save("subscription", after);
  world.emit("customer.subscription.updated", after, previous);
  return after;
}

/** Ends a subscription at once; what is still to be paid is no longer asked for. */
export function endSubscription(
  world: World,
  subscription: Subscription,
  details: Partial<NonNullable<Subscription["cancellation_details"]>>,
): Subscription {
  const now = world.now();
  const before = subscription.cancellation_details;
  const ended: Subscription = {
    ...subscription,
    status: "canceled",
    cancel_at_period_end: false,
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: {
      comment: details.comment ?? before?.comment ?? null,
      feedback: details.feedback ?? before?.feedback ?? null,
      feedback_option: null,
      reason: details.reason ?? "cancellation_requested",
    },
  };
  world.records.save("subscription", ended);
  world.records.remove("reminder", ended.id);
  for (const invoice of unsettled(world, ended)) {
    const still = { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null };
    world.records.save("invoice", { ...invoice, ...still });
  }
  world.emit("customer.subscription.deleted", ended);
  return ended;
}

/** What time itself brings: the period ends, a pause ends, or the first payment never came. */
export function passSubscription(world: World, subscription: Subscription): void {
  const now = world.now();
  const isTrial = subscription.status === "trialing";
  if (subscription.status === "incomplete") {
    expireIncomplete(world, subscription);
  } else if ((subscription.pause_collection?.resumes_at ?? Infinity) <= now) {
    changeSubscription(world, subscription, { pause_collection: null });
  } else if (subscription.cancel_at_period_end) {
    endSubscription(world, subscription, {});
  } else if (isTrial && subscription.default_payment_method === null && !isFree(subscription)) {
    endTrialWithoutCard(world, subscription);
  } else {
    renew(world, subscription);
  }
}

/** Brings a subscription back that was paused for want of a card, from now on. */
export function resumeSubscription(world: World, paused: Subscription): Subscription {
  const now = world.now();
  const anchored = { ...paused, status: "active" as const, billing_cycle_anchor: now };
  const item = { ...itemOf(paused), current_period_end: now };
  const { end } = nextPeriod({ ...anchored, items: { ...paused.items, data: [item] } });
  const resumed = changeSubscription(world, paused, {
    status: "active",
    billing_cycle_anchor: now,
    items: { ...paused.items, data: [{ ...item, current_period_start: now, current_period_end: end }] },
  });
  world.emit("customer.subscription.resumed", resumed);
  collect(world, finalizeInvoice(world, draftInvoice(world, resumed, "subscription_cycle")));
  return current(world, resumed);
}

/** Finalizes a draft that is due and charges it, or tries an open invoice again. */
export function passInvoice(world: World, invoice: Invoice): void {
  const paused = subscriptionOfInvoice(world, invoice)?.pause_collection ?? null;
  if (invoice.status !== "draft") collect(world, invoice);
  else if (paused === null) collect(world, finalizeInvoice(world, invoice));
  else passOver(world, invoice, paused.behavior);
}

/** Charges an open invoice with nobody there; a failure makes the subscription past due and sets the next attempt. */
export function collect(world: World, invoice: Invoice): void {
  const subscription = subscriptionOfInvoice(world, invoice);
  if (subscription === undefined) return;
  const method = paymentMethodOf(world, subscription);
  if (invoice.status === "paid" || (method !== undefined && charge(world, invoice, method, false))) {
    standByInvoice(world, invoice);
    return;
  }
  const attempts = invoice.attempt_count + 1;
  const days = RETRY_AFTER_DAYS[attempts - 1];
  const failed: Invoice = {
    ...invoice,
    attempt_count: attempts,
    attempted: true,
    auto_advance: days !== undefined,
    next_payment_attempt: days === undefined ? null : world.now() + days * DAY,
  };
  world.records.save("invoice", failed);
  world.emit("invoice.payment_failed", failed);
  if (days === undefined) giveUp(world, current(world, subscription));
  else if (subscription.status === "active") changeSubscription(world, subscription, { status: "past_due" });
}

/** Pays an open invoice while its customer is there; false when the card is declined, and nothing has changed then. */
export function payInPerson(world: World, invoice: Invoice, method: PaymentMethod): boolean {
  if (!charge(world, invoice, method, true)) return false;
  standByInvoice(world, invoice);
  return true;
}

/** The subscription that made an invoice. */
export function subscriptionOfInvoice(world: World, invoice: Invoice): Subscription | undefined {
  return world.records.find("subscription", String(invoice.parent?.subscription_details?.subscription));
}

/** Makes a subscription active whose latest invoice this is: it has been paid. */
export function standByInvoice(world: World, invoice: Invoice): void {
  const subscription = subscriptionOfInvoice(world, invoice);
  if (subscription === undefined || subscription.latest_invoice !== invoice.id) return;
  if (!["incomplete", "past_due", "unpaid"].includes(subscription.status)) return;
  changeSubscription(world, subscription, { status: "active" });
}

function giveUp(world: World, subscription: Subscription): void {
  const end = world.state.afterRetries();
  if (subscription.status !== "past_due" && subscription.status !== "active") return;
  if (end === "cancel") endSubscription(world, subscription, { reason: "payment_failed" });
  else changeSubscription(world, subscription, { status: end });
}

function renew(world: World, subscription: Subscription): void {
  const { start, end } = nextPeriod(subscription);
  const item = { ...itemOf(subscription), current_period_start: start, current_period_end: end };
  const renewed = changeSubscription(world, subscription, {
    status: subscription.status === "trialing" ? "active" : subscription.status,
    items: { ...subscription.items, data: [item] },
  });
  const invoice = draftInvoice(world, renewed, "subscription_cycle");
  if (renewed.pause_collection !== null) passOver(world, invoice, renewed.pause_collection.behavior);
}

/** What becomes of a draft while the collection is paused. */
function passOver(world: World, draft: Invoice, behavior: string): void {
  if (behavior === "void") voidInvoice(world, draft);
  else if (behavior === "mark_uncollectible") giveUpInvoice(world, draft);
  else world.records.save("invoice", { ...draft, auto_advance: false, automatically_finalizes_at: null });
}

function endTrialWithoutCard(world: World, subscription: Subscription): void {
  const end = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (end === "cancel") {
    endSubscription(world, subscription, {});
  } else if (end === "pause") {
    const paused = changeSubscription(world, subscription, { status: "paused" });
    world.emit("customer.subscription.paused", paused);
  } else {
    renew(world, subscription);
  }
}

function expireIncomplete(world: World, subscription: Subscription): void {
  for (const invoice of unsettled(world, subscription)) voidInvoice(world, invoice);
  changeSubscription(world, subscription, { status: "incomplete_expired", ended_at: world.now() });
}

function unsettled(world: World, subscription: Subscription): Invoice[] {
  return world.records.list("invoice", {
    where: { "parent.subscription_details.subscription": subscription.id, status: ["draft", "open"] },
  });
}

function isFree(subscription: Subscription): boolean {
  return (itemOf(subscription).price.unit_amount ?? 0) === 0;
}

function changesOf(before: Subscription, after: Subscription): Readonly<Record<string, unknown>> {
  const later = new Map(Object.entries(after).map(([key, value]) => [key, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(before).filter(([key, value]) => later.get(key) !== JSON.stringify(value)),
  );
}
