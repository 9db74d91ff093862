import type { Stripe } from "stripe";

/** Some fields of one of Stripe's objects. */
type FieldsOf<T extends { id: string; object: string }, K extends keyof T> = Pick<T, K | "id" | "object">;

// Stripe's objects, with the fields that the adapter, the hosted pages or a test reads. What refers to another object
// holds its id; the API answers with the object where a request expands the field.
export type Product = FieldsOf<Stripe.Product, "active" | "created" | "metadata" | "name">;

export type Price = FieldsOf<Stripe.Price, "active" | "created" | "currency" | "lookup_key" | "metadata"> & {
  readonly product: string;
  readonly recurring: Pick<Stripe.Price.Recurring, "interval" | "interval_count">;
  readonly unit_amount: number;
};

export type Coupon = FieldsOf<
  Stripe.Coupon,
  "currency_options" | "duration" | "duration_in_months" | "name" | "percent_off"
>;

export type PromotionCode = FieldsOf<
  Stripe.PromotionCode,
  "active" | "code" | "created" | "expires_at" | "max_redemptions" | "times_redeemed"
> & { readonly promotion: { readonly coupon: string; readonly type: "coupon" } };

/** A coupon that a subscription was given. */
export type Discount = FieldsOf<Stripe.Discount, "end" | "start"> & {
  readonly customer: string;
  readonly promotion_code: string;
  readonly source: { readonly coupon: string; readonly type: "coupon" };
  readonly subscription: string;
};

export type Customer = FieldsOf<Stripe.Customer, "created" | "email"> & {
  /** What the next invoice takes up: positive where the customer owes it. Absent for 0. */
  readonly balance?: number;
  readonly invoice_prefix: string;
  readonly name: string | null;
  readonly next_invoice_sequence: number;
};

export type PaymentMethod = FieldsOf<Stripe.PaymentMethod, "created" | "type"> & {
  readonly card: Pick<Stripe.PaymentMethod.Card, "brand" | "last4">;
  readonly customer: string;
};

export type CheckoutSession = FieldsOf<
  Stripe.Checkout.Session,
  | "allow_promotion_codes"
  | "cancel_url"
  | "client_reference_id"
  | "created"
  | "customer_email"
  | "expires_at"
  | "metadata"
  | "mode"
  | "payment_method_collection"
  | "payment_status"
  | "status"
  | "success_url"
  | "url"
> & {
  readonly amount_subtotal: number;
  readonly amount_total: number;
  readonly currency: string;
  /** Absent from a session of an older state file. */
  readonly custom_text?: { readonly submit: { readonly message: string } | null };
  readonly customer: string | null;
  readonly customer_details: { readonly email: string | null; readonly name: string | null } | null;
  readonly discounts: readonly { readonly promotion_code: string }[];
  readonly invoice: string | null;
  readonly subscription: string | null;
  readonly total_details: { readonly amount_discount: number };
};

export type SubscriptionItem = FieldsOf<
  Stripe.SubscriptionItem,
  "current_period_end" | "current_period_start"
> & {
  readonly price: Price;
};

/** What ends a trial whose customer has given no card. */
export type MissingCardBehavior = "cancel" | "create_invoice" | "pause";

export type Subscription = FieldsOf<
  Stripe.Subscription,
  | "application_fee_percent"
  | "billing_cycle_anchor"
  | "cancel_at"
  | "cancel_at_period_end"
  | "canceled_at"
  | "created"
  | "currency"
  | "ended_at"
  | "metadata"
  | "status"
  | "trial_end"
> & {
  readonly cancellation_details: Pick<
    Stripe.Subscription.CancellationDetails,
    "comment" | "feedback" | "reason"
  >;
  readonly customer: string;
  readonly default_payment_method: string | null;
  readonly discounts: readonly string[];
  readonly items: List<SubscriptionItem>;
  readonly latest_invoice: string | null;
  readonly pause_collection: { readonly behavior: "void"; readonly resumes_at: number | null } | null;
  readonly trial_settings: {
    readonly end_behavior: { readonly missing_payment_method: MissingCardBehavior };
  };
};

/** What a change of a subscription costs, or gives back where that is negative, until an invoice has it. */
export type InvoiceItem = FieldsOf<Stripe.InvoiceItem, "amount" | "period"> & {
  readonly parent: { readonly subscription_details: { readonly subscription: string } };
};

export interface InvoiceLine {
  readonly id: string;
  readonly object: "line_item";
  readonly amount: number;
  readonly parent: {
    readonly subscription_item_details: { readonly proration: boolean; readonly subscription_item: string };
    readonly type: "subscription_item_details";
  };
  readonly period: { readonly start: number; readonly end: number };
}

export type Invoice = FieldsOf<
  Stripe.Invoice,
  | "amount_due"
  | "amount_paid"
  | "amount_remaining"
  | "attempt_count"
  | "automatically_finalizes_at"
  | "ending_balance"
  | "starting_balance"
  | "billing_reason"
  | "created"
  | "currency"
  | "customer_email"
  | "customer_name"
  | "next_payment_attempt"
  | "number"
  | "period_end"
  | "period_start"
  | "status"
  | "status_transitions"
  | "subtotal"
  | "total"
> & {
  readonly customer: string;
  readonly discounts: readonly string[];
  /** Whether the sandbox finalizes and collects it by itself. Absent from an invoice of an older state file, which it does. */
  readonly auto_advance?: boolean;
  readonly hosted_invoice_url: string | null;
  readonly invoice_pdf: string | null;
  readonly lines: List<InvoiceLine>;
  readonly parent: {
    /** Metadata: absent from an invoice of an older state file. */
    readonly subscription_details: { readonly metadata?: Stripe.Metadata; readonly subscription: string };
    readonly type: "subscription_details";
  };
  readonly total_discount_amounts: readonly { readonly amount: number; readonly discount: string }[];
};

/** Which payment pays an invoice. */
export type InvoicePayment = FieldsOf<Stripe.InvoicePayment, "amount_paid" | "created" | "status"> & {
  readonly invoice: string;
  readonly payment: { readonly payment_intent: string; readonly type: "payment_intent" };
};

export type PaymentIntent = FieldsOf<
  Stripe.PaymentIntent,
  "amount" | "application_fee_amount" | "created" | "currency" | "status"
> & { readonly customer: string; readonly latest_charge: string | null };

export type Charge = FieldsOf<
  Stripe.Charge,
  | "amount"
  | "amount_captured"
  | "amount_refunded"
  | "application_fee_amount"
  | "created"
  | "currency"
  | "disputed"
  | "failure_code"
  | "paid"
  | "refunded"
  | "status"
> & {
  /** What the platform has given back of its fee. Absent for 0. */
  readonly application_fee_refunded?: number;
  readonly customer: string;
  readonly payment_intent: string;
  readonly payment_method_details: { readonly card: PaymentMethod["card"]; readonly type: "card" };
};

export type Refund = FieldsOf<
  Stripe.Refund,
  "amount" | "created" | "currency" | "metadata" | "reason" | "status"
> & {
  readonly charge: string;
  readonly payment_intent: string;
};

export type Dispute = FieldsOf<Stripe.Dispute, "amount" | "created" | "currency" | "reason" | "status"> & {
  readonly charge: string;
  readonly evidence_details: Pick<Stripe.Dispute.EvidenceDetails, "due_by">;
  readonly payment_intent: string;
};

export type Account = FieldsOf<
  Stripe.Account,
  "charges_enabled" | "created" | "details_submitted" | "metadata" | "payouts_enabled"
> & { readonly email: string | null };

export type PortalSession = FieldsOf<Stripe.BillingPortal.Session, "created" | "return_url" | "url"> & {
  readonly customer: string;
};

export interface List<T> {
  readonly object: "list";
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
}
