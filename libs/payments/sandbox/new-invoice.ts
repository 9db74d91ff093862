import { newStripeId } from "./ids.ts";
import {
  type Customer,
  type Invoice,
  type Subscription,
  type SubscriptionItem,
  wholeList,
} from "./records.ts";

export interface InvoiceTerms {
  readonly subscription: Subscription;
  readonly item: SubscriptionItem;
  readonly customer: Customer;
  /** Before discounts. */
  readonly amount: number;
  /** What the discounts take off, by their ids. */
  readonly discounts: readonly { readonly amount: number; readonly discount: string }[];
  readonly reason: "subscription_create" | "subscription_cycle";
  /** When a draft becomes an invoice by itself; null when it does not. */
  readonly finalizesAt: number | null;
}

/** A draft for one period of a subscription. */
export function newInvoice(terms: InvoiceTerms, now: number): Invoice {
  const { subscription, item, customer, amount } = terms;
  const id = newStripeId("in");
  const total = amount - terms.discounts.reduce((sum, discount) => sum + discount.amount, 0);
  return {
    id,
    object: "invoice",
    account_country: null,
    account_name: null,
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: terms.finalizesAt !== null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: terms.finalizesAt,
    billing_reason: terms.reason,
    collection_method: "charge_automatically",
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: terms.discounts.map(({ discount }) => discount),
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(`/v1/invoices/${id}/lines`, [lineOf(id, terms)]),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: item.current_period_start,
    period_start: item.current_period_start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: amount,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [...terms.discounts],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

function lineOf(
  invoice: string,
  { subscription, item, amount, discounts }: InvoiceTerms,
): Invoice["lines"]["data"][number] {
  const { product } = item.price;
  return {
    id: newStripeId("il"),
    object: "line_item",
    amount,
    currency: subscription.currency,
    description: null,
    discount_amounts: [...discounts],
    discountable: true,
    discounts: discounts.map(({ discount }) => discount),
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: [],
    pricing: {
      type: "price_details",
      price_details: { price: item.price.id, product: typeof product === "string" ? product : product.id },
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: "1",
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}
