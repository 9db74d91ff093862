import { ApiError, cardDeclined, invalidRequest } from "./api-error.ts";
import type { Card } from "./cards.ts";
import type { Engine } from "./engine.ts";
import { newInvoicePrefix, newStripeId } from "./ids.ts";
import { draftInvoice, finalizeInvoice } from "./invoices.ts";
import { startSubscription } from "./new-subscription.ts";
import { keepCard } from "./payments.ts";
import { amountOff, findPromotion } from "./promotions.ts";
import type { Checkout } from "./record-kinds.ts";
import type { CheckoutSession, Customer, Invoice, PaymentMethod, Subscription } from "./records.ts";
import { activateAfterPayment, chargeOnSession } from "./subscriptions.ts";

export interface Payer {
  readonly email: string;
  readonly name: string | null;
  /** Charged if anything is to pay. */
  readonly card: Card;
}

/**
 * Pays a checkout session, which must be open. When the customer's bank asks for approval, the session stays open and
 * its subscription waits. Throws `ApiError` 402 for a card that is declined; nothing has changed then.
 */
export function payCheckout(engine: Engine, checkout: Checkout, payer: Payer): Checkout {
  requireOpen(checkout);
  const { card } = payer;
  const needsCard = asksForCard(checkout);
  if (needsCard && card.onSession === "declined") throw cardDeclined(card.declineCode);
  const begun = begin(engine, checkout, payer, needsCard);
  if (needsCard && card.onSession === "asks the bank" && begun.invoice.status === "open") {
    const waiting = { ...checkout, pendingSubscriptionId: begun.subscription.id };
    engine.records.save("checkout", waiting);
    engine.emit("invoice.payment_action_required", begun.invoice);
    return waiting;
  }
  return complete(engine, checkout, begun);
}

/** Answers for the customer's bank. Throws `ApiError` 402 when it refuses, 400 when it wasn't asked. */
export function answerForBank(engine: Engine, checkout: Checkout, approves: boolean): Checkout {
  requireOpen(checkout);
  const pending = pendingOf(engine, checkout);
  if (pending === undefined) throw invalidRequest("No payment of this session waits for the bank.");
  if (!approves) throw cardDeclined();
  return complete(engine, checkout, pending);
}

/** Sets the session's promotion code, or removes it for an empty text. Throws `ApiError` 400 for an invalid code. */
export function applyPromotion(engine: Engine, checkout: Checkout, typed: string): Checkout {
  requireOpen(checkout);
  const { session } = checkout;
  if (session.allow_promotion_codes !== true) throw invalidRequest("This session takes no promotion codes.");
  if (checkout.pendingSubscriptionId != null) throw invalidRequest("This session's payment has begun.");
  const { amount_subtotal: subtotal, currency } = session;
  const found = typed.trim() === "" ? null : findPromotion(engine, typed, currency);
  const off = found === null ? 0 : (amountOff(found.coupon, subtotal, currency) ?? 0);
  const discounted: Checkout = {
    ...checkout,
    promotionCodeId: found?.promotion.id ?? null,
    session: {
      ...session,
      amount_total: subtotal - off,
      discounts: found === null ? [] : [{ promotion_code: found.promotion.id }],
      total_details: { amount_discount: off },
    },
  };
  engine.records.save("checkout", discounted);
  return discounted;
}

/** Expires a checkout session. */
export function expireCheckout(engine: Engine, checkout: Checkout): Checkout {
  const { status } = checkout.session;
  if (status !== "open") {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${status}\`.`,
    );
  }
  const session = { ...checkout.session, status: "expired" as const, url: null };
  const expired = { ...checkout, session };
  engine.records.save("checkout", expired);
  engine.emit("checkout.session.expired", session);
  return expired;
}

/** Whether the session's page asks for a card. */
export function asksForCard({ session }: Checkout): boolean {
  return session.amount_total > 0 || session.payment_method_collection === "always";
}

interface Begun {
  readonly customer: Customer;
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly method: PaymentMethod | null;
}

/** Creates what a payment needs, or continues what an earlier one of the session left waiting. */
function begin(engine: Engine, checkout: Checkout, payer: Payer, needsCard: boolean): Begun {
  const { records } = engine;
  const pending = pendingOf(engine, checkout);
  const customer = pending?.customer ?? createCustomer(engine, payer);
  const method = needsCard ? keepCard(engine, payer.card, customer.id) : null;
  if (pending !== undefined) {
    const subscription = { ...pending.subscription, default_payment_method: method?.id ?? null };
    records.save("subscription", subscription);
    return { ...pending, subscription, method };
  }
  const started = startSubscription(engine, checkout, customer.id, method?.id ?? null);
  const invoice = finalizeInvoice(engine, draftInvoice(engine, started, "subscription_create"));
  return { customer, subscription: records.get("subscription", started.id), invoice, method };
}

function createCustomer(engine: Engine, { email, name }: Payer): Customer {
  const customer: Customer = {
    id: newStripeId("cus"),
    object: "customer",
    created: engine.now(),
    email,
    invoice_prefix: newInvoicePrefix(),
    name,
    next_invoice_sequence: 1,
  };
  engine.records.save("customer", customer);
  engine.emit("customer.created", customer);
  return customer;
}

function complete(engine: Engine, checkout: Checkout, { customer, subscription, invoice, method }: Begun) {
  if (invoice.status === "paid") activateAfterPayment(engine, invoice);
  else if (method !== null) chargeOnSession(engine, invoice, method);
  const session: CheckoutSession = {
    ...checkout.session,
    customer: customer.id,
    customer_details: { email: customer.email, name: customer.name },
    invoice: invoice.id,
    payment_status: checkout.session.amount_total === 0 ? "no_payment_required" : "paid",
    status: "complete",
    subscription: subscription.id,
    url: null,
  };
  const completed: Checkout = { ...checkout, pendingSubscriptionId: null, session };
  engine.records.save("checkout", completed);
  engine.emit("checkout.session.completed", session);
  return completed;
}

function pendingOf({ records }: Engine, checkout: Checkout): Begun | undefined {
  const subscription = records.find("subscription", checkout.pendingSubscriptionId ?? "");
  if (subscription?.status !== "incomplete") return undefined;
  const invoice = records.find("invoice", subscription.latest_invoice ?? "");
  if (invoice === undefined) return undefined;
  const method = records.find("paymentMethod", subscription.default_payment_method ?? "") ?? null;
  return { customer: records.get("customer", subscription.customer), subscription, invoice, method };
}

function requireOpen({ session: { status } }: Checkout): void {
  if (status === "open") return;
  const message = `This checkout session is ${status ?? "unknown"} and takes no payment.`;
  throw new ApiError(400, { type: "invalid_request_error", code: `checkout_session_${status}`, message });
}
