import { ApiError, cardDeclined, invalidRequest, missing } from "./api-error.ts";
import { current, customerOf, draftInvoice, finalizeInvoice } from "./billing.ts";
import type { Card } from "./cards.ts";
import { newDiscount } from "./new-discount.ts";
import { newPaymentMethod } from "./new-payment.ts";
import { newCustomer } from "./new-products.ts";
import { newSubscription } from "./new-subscription.ts";
import { couponOf, redeem } from "./promotion-codes.ts";
import type {
  Checkout,
  CheckoutSession,
  Customer,
  Invoice,
  PaymentMethod,
  Price,
  Subscription,
} from "./records.ts";
import { payInPerson, standByInvoice } from "./subscription-life.ts";
import type { World } from "./world.ts";

/** Stripe tells of a trial's end so long before, in seconds. */
const TRIAL_NOTICE = 3 * 86_400;

export interface Payer {
  readonly email: string;
  readonly name: string | null;
  /** What is paid with, if anything is to pay. */
  readonly card: Card;
}

/**
 * Pays a checkout session, which must be open. When the customer's bank wants to be asked, the session stays open and
 * its subscription waits. Throws `ApiError` 402 for a card that is declined; nothing has changed then.
 */
export function payCheckout(world: World, checkout: Checkout, payer: Payer): Checkout {
  requireOpen(checkout);
  const { card } = payer;
  const needsCard = asksForCard(checkout);
  if (needsCard && card.inPerson === "declined") throw cardDeclined(card.declineCode);
  const begun = begin(world, checkout, payer, needsCard);
  const asks = needsCard && card.inPerson === "asks the bank" && begun.invoice.status === "open";
  if (asks) {
    const waiting = { ...checkout, pendingSubscriptionId: begun.subscription.id };
    world.records.save("checkout", waiting);
    world.emit("invoice.payment_action_required", begun.invoice);
    return waiting;
  }
  return complete(world, checkout, begun);
}

/** The bank's answer to the payment that waits for it. Throws `ApiError` 402 when it refuses, 400 when none waits. */
export function answerForBank(world: World, checkout: Checkout, approves: boolean): Checkout {
  requireOpen(checkout);
  const waiting = pendingOf(world, checkout);
  if (waiting === undefined) throw invalidRequest("No payment of this session waits for the bank.");
  if (!approves) throw cardDeclined();
  return complete(world, checkout, waiting);
}

/** Gives a checkout session up. */
export function expireCheckout(world: World, checkout: Checkout): Checkout {
  if (checkout.session.status !== "open") {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${checkout.session.status}\`.`,
    );
  }
  const session = { ...checkout.session, status: "expired" as const, url: null };
  const expired = { ...checkout, session };
  world.records.save("checkout", expired);
  world.emit("checkout.session.expired", session);
  return expired;
}

/** Whether the session's page asks for a card. */
export function asksForCard({ session }: Checkout): boolean {
  return (session.amount_total ?? 0) > 0 || session.payment_method_collection === "always";
}

interface Begun {
  readonly customer: Customer;
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly method: PaymentMethod | null;
}

/** Makes what a payment needs, or takes up what an earlier one of the session left waiting. */
function begin(world: World, checkout: Checkout, payer: Payer, needsCard: boolean): Begun {
  const waiting = pendingOf(world, checkout);
  const now = world.now();
  const customer = waiting?.customer ?? newCustomer(payer, {}, now);
  if (waiting === undefined) {
    world.records.save("customer", customer);
    world.emit("customer.created", customer);
  }
  const method = needsCard ? newPaymentMethod(payer.card, customer, now) : null;
  if (method !== null) world.records.save("paymentMethod", method);
  if (waiting !== undefined) {
    const charged = { ...waiting.subscription, default_payment_method: method?.id ?? null };
    world.records.save("subscription", charged);
    return { ...waiting, subscription: charged, method };
  }
  const subscription = subscribe(world, checkout, customer, method);
  const invoice = finalizeInvoice(world, draftInvoice(world, subscription, "subscription_create"));
  return { customer, subscription: current(world, subscription), invoice, method };
}

function subscribe(
  world: World,
  checkout: Checkout,
  customer: Customer,
  method: PaymentMethod | null,
): Subscription {
  const now = world.now();
  const made = newSubscription(
    {
      customer: customer.id,
      price: priceOf(world, checkout.priceId),
      trialDays: checkout.trialDays,
      withoutCard: checkout.withoutCard ?? "create_invoice",
      feePercent: checkout.feePercent ?? null,
      paymentMethod: method?.id ?? null,
      metadata: checkout.subscriptionMetadata,
    },
    now,
  );
  const subscription = { ...made, discounts: redeemed(world, checkout, customer, made.id) };
  world.records.save("subscription", subscription);
  world.emit("customer.subscription.created", subscription);
  if (subscription.trial_end !== null) {
    world.records.save("reminder", { id: made.id, at: Math.max(now, subscription.trial_end - TRIAL_NOTICE) });
  }
  return subscription;
}

function redeemed(world: World, checkout: Checkout, customer: Customer, subscription: string): string[] {
  const promotion = world.records.find("promotionCode", checkout.promotionCodeId ?? "");
  const coupon = promotion === undefined ? undefined : couponOf(world.records, promotion);
  if (promotion === undefined || coupon === undefined) return [];
  redeem(world.records, promotion, coupon);
  const discount = newDiscount(coupon, promotion.id, { customer: customer.id, subscription }, world.now());
  world.records.save("discount", { ...discount, checkout_session: checkout.id });
  return [discount.id];
}

function complete(
  world: World,
  checkout: Checkout,
  { customer, subscription, invoice, method }: Begun,
): Checkout {
  if (invoice.status === "paid") standByInvoice(world, invoice);
  else if (method !== null) payInPerson(world, invoice, method);
  const session: CheckoutSession = {
    ...checkout.session,
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name ?? null,
      phone: null,
      tax_exempt: "none",
      tax_ids: [],
    },
    invoice: invoice.id,
    payment_status: checkout.session.amount_total === 0 ? "no_payment_required" : "paid",
    status: "complete",
    subscription: subscription.id,
    url: null,
  };
  const completed = { ...checkout, pendingSubscriptionId: null, session };
  world.records.save("checkout", completed);
  world.emit("checkout.session.completed", session);
  return completed;
}

function pendingOf(world: World, checkout: Checkout): Begun | undefined {
  const subscription = world.records.find("subscription", checkout.pendingSubscriptionId ?? "");
  const invoice = world.records.find("invoice", String(subscription?.latest_invoice));
  if (subscription?.status !== "incomplete" || invoice === undefined) return undefined;
  const method = world.records.find("paymentMethod", String(subscription.default_payment_method)) ?? null;
  return { customer: customerOf(world, subscription.customer), subscription, invoice, method };
}

/** Throws `ApiError` 400 when the session is over. */
export function requireOpen({ session: { status } }: Checkout): void {
  if (status === "open") return;
  const message = `This checkout session is ${status ?? "unknown"} and takes no payment.`;
  throw new ApiError(400, { type: "invalid_request_error", code: `checkout_session_${status}`, message });
}

function priceOf(world: World, id: string): Price {
  const price = world.records.find("price", id);
  if (price === undefined) throw missing("price", id, "price");
  return price;
}
