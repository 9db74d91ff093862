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
  readonly amount: number;
  readonly status: "paid" | "void";
  readonly reason: "subscription_create" | "subscription_cycle";
}

/** A finalized invoice for one period of a subscription, paid in full or voided. */
export function newInvoice(terms: InvoiceTerms, now: number): Invoice {
  const { subscription, item, customer, amount } = terms;
  const id = newStripeId("in");
  const paid = terms.status === "paid" ? amount : 0;
  return {
    id,
    object: "invoice",
    account_country: null,
    account_name: null,
    account_tax_ids: null,
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: paid,
    amount_remaining: amount - paid,
    amount_shipping: 0,
    application: null,
    attempt_count: paid > 0 ? 1 : 0,
    attempted: terms.status === "paid",
    auto_advance: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
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
    discounts: [],
    due_date: null,
    effective_at: now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
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
    status: terms.status,
    status_transitions: {
      finalized_at: now,
      marked_uncollectible_at: null,
      paid_at: terms.status === "paid" ? now : null,
      voided_at: terms.status === "void" ? now : null,
    },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

function lineOf(
  invoice: string,
  { subscription, item, amount }: InvoiceTerms,
): Invoice["lines"]["data"][number] {
  const { product } = item.price;
  return {
    id: newStripeId("il"),
    object: "line_item",
    amount,
    currency: subscription.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
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
