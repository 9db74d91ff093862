import { type ApiError, cardDeclined } from "./api-error.ts";
import type { Engine } from "./engine.ts";
import { draftInvoice, finalizeInvoice, markPaid, voidInvoice } from "./invoices.ts";
import { charge } from "./payments.ts";
import { itemOf, nextPeriod } from "./periods.ts";
import type { Invoice, PaymentMethod, Subscription } from "./records.ts";

/**
 * The life of a subscription:
 *
 *     incomplete ─paid─▶ active ◀─paid── past_due ─retries are over─▶ canceled, unpaid or past_due
 *         └─23 hours─▶ incomplete_expired   ▲
 *     trialing ─trial ends─▶ active ────────┴ payment fails;   ─no card─▶ past_due, canceled or paused
 *     any of them ─cancel, or the end of the period that was canceled─▶ canceled
 */

/** Days after the first, second and third failure until an invoice is tried again. */
const RETRY_AFTER_DAYS = [3, 5, 7];
const DAY = 86_400;

export const CANCELLATION_FEEDBACK = [
  "customer_service",
  "low_quality",
  "missing_features",
  "other",
  "switched_service",
  "too_complex",
  "too_expensive",
  "unused",
] as const;

/** The details of a cancellation, from the person or the rule that cancels. */
type CancellationDetails = {
  readonly [K in keyof Subscription["cancellation_details"]]?:
    | Subscription["cancellation_details"][K]
    | undefined;
};

/** Whether a subscription is over for good. */
export function hasEnded({ status }: Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** Saves a subscription and emits what changed, if anything did. */
export function changeSubscription(
  engine: Engine,
  before: Subscription,
  change: Partial<Subscription>,
): Subscription {
  const after = { ...before, ...change };
  const later = new Map(Object.entries(after).map(([key, value]) => [key, JSON.stringify(value)]));
  const changed = Object.entries(before).filter(([key, value]) => later.get(key) !== JSON.stringify(value));
  if (changed.length === 0) return before;
  engine.records.save("subscription", after);
  engine.emit("customer.subscription.updated", after, Object.fromEntries(changed));
  return after;
}

/** Ends a subscription immediately; open invoices are no longer collected. */
export function endSubscription(
  engine: Engine,
  subscription: Subscription,
  details: CancellationDetails = {},
): Subscription {
  const now = engine.now();
  const before = subscription.cancellation_details;
  const ended: Subscription = {
    ...subscription,
    status: "canceled",
    cancel_at_period_end: false,
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: {
      comment: details.comment ?? before.comment,
      feedback: details.feedback ?? before.feedback,
      reason: details.reason ?? "cancellation_requested",
    },
  };
  engine.records.save("subscription", ended);
  engine.records.remove("reminder", ended.id);
  for (const invoice of unsettled(engine, ended)) {
    const stopped = { automatically_finalizes_at: null, next_payment_attempt: null };
    engine.records.save("invoice", { ...invoice, ...stopped });
  }
  engine.emit("customer.subscription.deleted", ended);
  return ended;
}

/** The change that takes a planned end away. */
export const KEPT = { cancel_at: null, cancel_at_period_end: false, canceled_at: null } as const;

/** Whether its end is planned. */
export function isCanceling({ cancel_at, cancel_at_period_end }: Subscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

/** Processes a subscription that is due: its period or its pause ends, or its first payment never came. */
export function advanceSubscription(engine: Engine, subscription: Subscription): void {
  const { status, cancel_at, cancel_at_period_end, default_payment_method: card } = subscription;
  if (status === "incomplete") {
    for (const invoice of unsettled(engine, subscription)) voidInvoice(engine, invoice);
    changeSubscription(engine, subscription, { status: "incomplete_expired", ended_at: engine.now() });
  } else if ((subscription.pause_collection?.resumes_at ?? Number.POSITIVE_INFINITY) <= engine.now()) {
    changeSubscription(engine, subscription, { pause_collection: null });
  } else if (cancel_at_period_end || (cancel_at !== null && cancel_at <= engine.now())) {
    endSubscription(engine, subscription);
  } else if (status === "trialing" && card === null && itemOf(subscription).price.unit_amount > 0) {
    endTrialWithoutCard(engine, subscription);
  } else {
    renew(engine, subscription);
  }
}

/** Processes an invoice that is due: finalizes and charges a draft, or tries an open invoice again. */
export function advanceInvoice(engine: Engine, invoice: Invoice): void {
  if (invoice.status !== "draft") collect(engine, invoice);
  else if (subscriptionOf(engine, invoice)?.pause_collection != null) voidInvoice(engine, invoice);
  else collect(engine, finalizeInvoice(engine, invoice));
}

/** Charges an open invoice while its customer is there; false when the card is declined, and then nothing changed. */
export function chargeOnSession(engine: Engine, invoice: Invoice, method: PaymentMethod): boolean {
  if (!charge(engine, invoice, method, true)) return false;
  activateAfterPayment(engine, markPaid(engine, invoice));
  return true;
}

/**
 * Charges an open invoice now, as its owner asks, to the subscription's card. A failed attempt counts, and the automatic ones
 * continue as before. Returns the paid invoice, or the refusal.
 */
export function payInvoice(engine: Engine, invoice: Invoice): Invoice | ApiError {
  const subscription = subscriptionOf(engine, invoice);
  if (subscription === undefined) throw new Error(`Invoice ${invoice.id} has no subscription.`);
  if (!chargeOffSession(engine, invoice, subscription)) {
    const failed = { ...invoice, attempt_count: invoice.attempt_count + 1 };
    engine.records.save("invoice", failed);
    engine.emit("invoice.payment_failed", failed);
    if (subscription.status === "active") changeSubscription(engine, subscription, { status: "past_due" });
    return cardDeclined();
  }
  return engine.records.get("invoice", invoice.id);
}

/** Makes the subscription of an invoice active again once the latest of its invoices that are not void is paid. */
export function activateAfterPayment(engine: Engine, invoice: Invoice): void {
  const subscription = subscriptionOf(engine, invoice);
  if (subscription === undefined) return;
  if (!["incomplete", "past_due", "unpaid"].includes(subscription.status)) return;
  const [latest] = invoicesOf(engine, subscription, ["draft", "open", "paid", "uncollectible"], 1);
  if (latest?.status !== "paid") return;
  changeSubscription(engine, subscription, { status: "active" });
}

/** The subscription that an invoice belongs to. */
export function subscriptionOf({ records }: Engine, { parent }: Invoice): Subscription | undefined {
  return records.find("subscription", parent.subscription_details.subscription);
}

/** Charges an open invoice off session. A failure makes the subscription past due and schedules the next attempt. */
function collect(engine: Engine, invoice: Invoice): void {
  const subscription = subscriptionOf(engine, invoice);
  if (subscription === undefined) return;
  if (invoice.status === "paid") {
    activateAfterPayment(engine, invoice);
    return;
  }
  if (chargeOffSession(engine, invoice, subscription)) return;
  const attempts = invoice.attempt_count + 1;
  const days = RETRY_AFTER_DAYS[attempts - 1];
  const failed: Invoice = {
    ...invoice,
    attempt_count: attempts,
    next_payment_attempt: days === undefined ? null : engine.now() + days * DAY,
  };
  engine.records.save("invoice", failed);
  engine.emit("invoice.payment_failed", failed);
  if (days === undefined) endRetries(engine, subscription);
  else if (subscription.status === "active") {
    changeSubscription(engine, subscription, { status: "past_due" });
  }
}

/** Charges an open invoice to the subscription's card, without its customer; whether the card was approved. */
function chargeOffSession(engine: Engine, invoice: Invoice, subscription: Subscription): boolean {
  const method = engine.records.find("paymentMethod", subscription.default_payment_method ?? "");
  if (method === undefined || !charge(engine, invoice, method, false)) return false;
  activateAfterPayment(engine, markPaid(engine, invoice));
  return true;
}

function endRetries(engine: Engine, subscription: Subscription): void {
  if (subscription.status !== "past_due" && subscription.status !== "active") return;
  const end = engine.state.afterRetries();
  if (end === "cancel") endSubscription(engine, subscription, { reason: "payment_failed" });
  else changeSubscription(engine, subscription, { status: end });
}

function renew(engine: Engine, subscription: Subscription): void {
  const { start, end } = nextPeriod(subscription);
  const item = { ...itemOf(subscription), current_period_start: start, current_period_end: end };
  const renewed = changeSubscription(engine, subscription, {
    status: subscription.status === "trialing" ? "active" : subscription.status,
    items: { ...subscription.items, data: [item] },
  });
  const invoice = draftInvoice(engine, renewed, "subscription_cycle");
  if (renewed.pause_collection !== null) voidInvoice(engine, invoice);
}

function endTrialWithoutCard(engine: Engine, subscription: Subscription): void {
  const { missing_payment_method: end } = subscription.trial_settings.end_behavior;
  if (end === "cancel") {
    endSubscription(engine, subscription);
  } else if (end === "pause") {
    const paused = changeSubscription(engine, subscription, { status: "paused" });
    engine.emit("customer.subscription.paused", paused);
  } else {
    renew(engine, subscription);
  }
}

function unsettled(engine: Engine, subscription: Subscription): Invoice[] {
  return invoicesOf(engine, subscription, ["draft", "open"]);
}

/** A subscription's invoices in these statuses, newest first. */
function invoicesOf(
  { records }: Engine,
  subscription: Subscription,
  status: readonly NonNullable<Invoice["status"]>[],
  limit?: number,
): Invoice[] {
  const where = { "parent.subscription_details.subscription": subscription.id, status };
  return records.list("invoice", { where, ...(limit === undefined ? {} : { limit }) });
}
