import { newInvoicePrefix, newStripeId } from "./ids.ts";
import type { StripeInterval } from "./period-end.ts";
import type { Customer, Plan, Price, Product } from "./records.ts";

type Metadata = Readonly<Record<string, string>>;

/** A product as Stripe makes it. */
export function newProduct(
  given: { readonly id: string | undefined; readonly name: string; readonly description: string | undefined },
  metadata: Metadata,
  now: number,
): Product {
  return {
    id: given.id ?? newStripeId("prod"),
    object: "product",
    active: true,
    created: now,
    default_price: null,
    description: given.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: { ...metadata },
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: now,
    url: null,
  };
}

export interface PriceTerms {
  readonly product: string;
  readonly unitAmount: number;
  readonly currency: string;
  readonly interval: StripeInterval;
  readonly intervalCount: number;
  readonly lookupKey: string | null;
}

/** A recurring price as Stripe makes it. */
export function newPrice(terms: PriceTerms, metadata: Metadata, now: number): Price {
  return {
    id: newStripeId("price"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: now,
    currency: terms.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: terms.lookupKey,
    metadata: { ...metadata },
    nickname: null,
    product: terms.product,
    recurring: {
      interval: terms.interval,
      interval_count: terms.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: terms.unitAmount,
    unit_amount_decimal: String(terms.unitAmount),
  };
}

/** The older name of a recurring price, which subscription items still carry. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? "month",
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

/** A customer as Stripe makes it. */
export function newCustomer(
  person: { readonly email: string | null; readonly name: string | null },
  metadata: Metadata,
  now: number,
): Customer {
  return {
    id: newStripeId("cus"),
    object: "customer",
    address: null,
    balance: 0,
    created: now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: person.email,
    invoice_prefix: newInvoicePrefix(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: { ...metadata },
    name: person.name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}
