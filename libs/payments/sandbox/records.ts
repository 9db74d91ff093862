import type { Stripe } from "stripe";

// Stripe's objects as they go over the wire, where decimals are texts.
export type Product = Stripe.Product;
export type Price = Omit<Stripe.Price, "unit_amount_decimal"> & { unit_amount_decimal: string | null };
export type Plan = Omit<Stripe.Plan, "amount_decimal"> & { amount_decimal: string | null };
export type Coupon = Stripe.Coupon;
export type PromotionCode = Stripe.PromotionCode;
export type Discount = Stripe.Discount;
export type Customer = Stripe.Customer;
export type PaymentMethod = Stripe.PaymentMethod;
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
export type InvoicePayment = Stripe.InvoicePayment;
export type PaymentIntent = Stripe.PaymentIntent;
export type Charge = Stripe.Charge;
export type Refund = Stripe.Refund;
export type Dispute = Stripe.Dispute;
export type Account = Stripe.Account;
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
  /** What happens when the trial ends and there is no card. */
  readonly withoutCard?: "cancel" | "create_invoice" | "pause";
  readonly feePercent?: number | null;
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
  /** The promotion code that was typed in. */
  readonly promotionCodeId?: string | null;
  /** The subscription whose first payment the customer's bank has been asked to approve. */
  readonly pendingSubscriptionId?: string | null;
}

/** A page of a connected account's set-up, good for some minutes and one use. */
export interface Onboarding {
  readonly id: string;
  readonly account: string;
  readonly refreshUrl: string;
  readonly returnUrl: string;
  readonly expiresAt: number;
}

/** Something to say about a subscription at a given time. */
export interface Reminder {
  /** The subscription's id. */
  readonly id: string;
  readonly at: number;
}

/** What the sandbox stores, by kind. */
export interface Records {
  account: Account;
  charge: Charge;
  checkout: Checkout;
  coupon: Coupon;
  customer: Customer;
  discount: Discount;
  dispute: Dispute;
  invoice: Invoice;
  invoicePayment: InvoicePayment;
  onboarding: Onboarding;
  paymentIntent: PaymentIntent;
  paymentMethod: PaymentMethod;
  portal: PortalSession;
  price: Price;
  product: Product;
  promotionCode: PromotionCode;
  refund: Refund;
  reminder: Reminder;
  subscription: Subscription;
}

export type RecordKind = keyof Records;

/** All of a collection in one page, as it is embedded in another object. */
export function wholeList<T>(url: string, data: T[]): List<T> {
  return { object: "list", data, has_more: false, url };
}
