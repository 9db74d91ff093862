import { newStripeId } from "./ids.ts";
import { planOf } from "./new-products.ts";
import { periodEnd, type StripeInterval } from "./period-end.ts";
import { type Price, type Subscription, type SubscriptionItem, wholeList } from "./records.ts";

const DAY = 86_400;
const INTERVALS: readonly StripeInterval[] = ["day", "week", "month", "year"];

export interface SubscriptionTerms {
  readonly customer: string;
  readonly price: Price;
  readonly trialDays: number;
  readonly withoutCard: "cancel" | "create_invoice" | "pause";
  /** Of a connected account's sale. */
  readonly feePercent: number | null;
  readonly paymentMethod: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A subscription as Stripe starts it: on trial when there are trial days, else waiting for its first payment. */
export function newSubscription(terms: SubscriptionTerms, now: number): Subscription {
  const { customer, price, trialDays, metadata } = terms;
  const id = newStripeId("sub");
  const trialEnd = trialDays > 0 ? now + trialDays * DAY : null;
  const anchor = trialEnd ?? now;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: terms.feePercent,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: "classic" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: now,
    currency: price.currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: terms.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: wholeList(`/v1/subscription_items?subscription=${id}`, [
      {
        id: newStripeId("si"),
        object: "subscription_item",
        billing_thresholds: null,
        created: now,
        current_period_end: trialEnd ?? endOfPeriod(price, anchor, 1),
        current_period_start: now,
        current_trial: null,
        discounts: [],
        metadata: {},
        plan: planOf(price),
        price,
        quantity: 1,
        subscription: id,
        tax_rates: [],
      },
    ]),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: { ...metadata },
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? "incomplete" : "trialing",
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: terms.withoutCard },
    },
    trial_start: trialEnd === null ? null : now,
  };
}

/** The period after the one the subscription is in, counted from its anchor so that no day is lost. */
export function nextPeriod(subscription: Subscription): { readonly start: number; readonly end: number } {
  const item = itemOf(subscription);
  const start = item.current_period_end;
  let periods = 1;
  while (endOfPeriod(item.price, subscription.billing_cycle_anchor, periods) <= start) periods += 1;
  return { start, end: endOfPeriod(item.price, subscription.billing_cycle_anchor, periods) };
}

/** The one item that every subscription here has. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const item = subscription.items.data[0];
  if (item === undefined) throw new Error(`Subscription ${subscription.id} has no item.`);
  return item;
}

/** The end of the n-th period that is counted from the anchor, in seconds. */
export function endOfPeriod(price: Price, anchor: number, periods: number): number {
  return periodEnd(anchor, intervalOf(price), price.recurring?.interval_count ?? 1, periods);
}

function intervalOf(price: Price): StripeInterval {
  const interval = price.recurring?.interval;
  return INTERVALS.find((known) => known === interval) ?? "month";
}
