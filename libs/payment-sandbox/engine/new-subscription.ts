import { periodEnd } from "#libs/domain/period-end.ts";
import type { Engine } from "./engine.ts";
import { newStripeId } from "./ids.ts";
import { readPromotion, redeem } from "./promotions.ts";
import type { Checkout } from "./record-kinds.ts";
import type { Subscription } from "./records.ts";
import { TRIAL_NOTICE } from "./trials.ts";

const DAY = 86_400;

/** Starts the subscription that a checkout sells: on trial, or waiting for its first payment. */
export function startSubscription(
  engine: Engine,
  checkout: Checkout,
  customer: string,
  paymentMethod: string | null,
): Subscription {
  const { records } = engine;
  const now = engine.now();
  const id = newStripeId("sub");
  const price = records.get("price", checkout.priceId, "price");
  const trialEnd = checkout.trialDays > 0 ? now + checkout.trialDays * DAY : null;
  const promotion = readPromotion(records, checkout.promotionCodeId);
  const item = {
    id: newStripeId("si"),
    object: "subscription_item",
    current_period_end: trialEnd ?? periodEnd(now, price.recurring),
    current_period_start: now,
    price,
  } as const;
  const subscription: Subscription = {
    id,
    object: "subscription",
    application_fee_percent: checkout.feePercent ?? null,
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    created: now,
    currency: price.currency,
    customer,
    default_payment_method: paymentMethod,
    discounts: promotion === null ? [] : [redeem(engine, promotion, { id, customer }).id],
    ended_at: null,
    items: {
      object: "list",
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    metadata: { ...checkout.subscriptionMetadata },
    pause_collection: null,
    status: trialEnd === null ? "incomplete" : "trialing",
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { missing_payment_method: checkout.withoutCard ?? "create_invoice" },
    },
  };
  records.save("subscription", subscription);
  engine.emit("customer.subscription.created", subscription);
  if (trialEnd !== null) records.save("reminder", { id, at: Math.max(now, trialEnd - TRIAL_NOTICE) });
  return subscription;
}
