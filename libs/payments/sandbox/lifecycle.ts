import { ApiError, invalidRequest, missing } from "./api-error.ts";
import { newInvoice } from "./new-invoice.ts";
import { newCustomer } from "./new-products.ts";
import { newSubscription } from "./new-subscription.ts";
import type { Checkout, Customer, Invoice, Price, Subscription, SubscriptionItem } from "./records.ts";
import type { World } from "./world.ts";

/** Pays a checkout session, which must be open. */
export function completeCheckout(
  world: World,
  checkout: Checkout,
  payer: { readonly email: string; readonly name: string | null },
): Checkout {
  const { status } = checkout.session;
  if (status !== "open") {
    const message = `This checkout session is ${status ?? "unknown"} and takes no payment.`;
    throw new ApiError(400, { type: "invalid_request_error", code: `checkout_session_${status}`, message });
  }
  const now = world.now();
  const price = priceOf(world, checkout.priceId);
  const customer = newCustomer(payer, {}, now);
  const subscription = newSubscription(
    customer.id,
    price,
    checkout.trialDays,
    checkout.subscriptionMetadata,
    now,
  );
  world.state.save("customer", customer);
  const amount = subscription.status === "trialing" ? 0 : (price.unit_amount ?? 0);
  const invoice = bill(world, subscription, { amount, customer, reason: "subscription_create" });
  const session = {
    ...checkout.session,
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: payer.email,
      individual_name: null,
      name: payer.name,
      phone: null,
      tax_exempt: "none" as const,
      tax_ids: [],
    },
    invoice: invoice.id,
    payment_status: amount === 0 ? ("no_payment_required" as const) : ("paid" as const),
    status: "complete" as const,
    subscription: subscription.id,
    url: null,
  };
  const completed = { ...checkout, session };
  world.state.save("checkout", completed);
  world.emit("customer.created", customer);
  world.emit("customer.subscription.created", subscription);
  world.emit("checkout.session.completed", session);
  world.emit("invoice.paid", invoice);
  return completed;
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
  world.state.save("checkout", expired);
  world.emit("checkout.session.expired", session);
  return expired;
}

/** Ends a subscription at once. */
export function endSubscription(
  world: World,
  subscription: Subscription,
  details: NonNullable<Subscription["cancellation_details"]>,
): Subscription {
  const now = world.now();
  const ended: Subscription = {
    ...subscription,
    status: "canceled",
    cancel_at_period_end: false,
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: details,
  };
  world.state.save("subscription", ended);
  world.emit("customer.subscription.deleted", ended);
  return ended;
}

/**
 * Invoices the subscription's current period and saves both: paid, or void while its collection is paused. Emitting is
 * left to the caller, who knows the order.
 */
export function bill(
  world: World,
  subscription: Subscription,
  terms: {
    readonly amount: number;
    readonly customer: Customer;
    readonly reason: "subscription_create" | "subscription_cycle";
  },
): Invoice {
  const status = subscription.pause_collection === null ? "paid" : "void";
  const item = itemOf(subscription);
  const invoice = newInvoice({ ...terms, subscription, item, status }, world.now());
  subscription.latest_invoice = invoice.id;
  world.state.save("invoice", invoice);
  world.state.save("subscription", subscription);
  return invoice;
}

/** The one item that every subscription here has. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const item = subscription.items.data[0];
  if (item === undefined) throw new Error(`Subscription ${subscription.id} has no item.`);
  return item;
}

function priceOf(world: World, id: string): Price {
  const price = world.state.find("price", id);
  if (price === undefined) throw missing("price", id, "price");
  return price;
}
