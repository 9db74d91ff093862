import type { Stripe } from "stripe";

// Stripe's objects as they go over the wire, where decimals are texts.
export type Product = Stripe.Product;
export type Price = Omit<Stripe.Price, "unit_amount_decimal"> & { unit_amount_decimal: string | null };
export type Plan = Omit<Stripe.Plan, "amount_decimal"> & { amount_decimal: string | null };
export type Customer = Stripe.Customer;
export type CheckoutSession = Stripe.Checkout.Session;
export type SubscriptionItem = Omit<Stripe.SubscriptionItem, "price" | "plan"> & { price: Price; plan: Plan };
export type Subscription = Omit<Stripe.Subscription, "items"> & { items: List<SubscriptionItem> };
export type InvoiceLine = Omit<Stripe.InvoiceLineItem, "quantity_decimal" | "pricing"> & {
  quantity_decimal: string | null;
  pricing: {
    type: "price_details";
    price_details: { price: string; product: string };
    unit_amount_decimal: string | null;
  };
};
export type Invoice = Omit<Stripe.Invoice, "lines"> & { lines: List<InvoiceLine> };
export type PortalSession = Stripe.BillingPortal.Session;

export interface List<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  url: string;
}

/** A checkout session with what Stripe keeps of it and does not show. */
export interface Checkout {
  readonly id: string;
  session: CheckoutSession;
  readonly priceId: string;
  readonly trialDays: number;
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
}

/** What the sandbox stores, by kind. */
export interface Records {
  product: Product;
  price: Price;
  customer: Customer;
  checkout: Checkout;
  subscription: Subscription;
  invoice: Invoice;
  portal: PortalSession;
}

export type RecordKind = keyof Records;

/** All of a collection in one page, as it is embedded in another object. */
export function wholeList<T>(url: string, data: T[]): List<T> {
  return { object: "list", data, has_more: false, url };
}
