import { newStripeId } from "./ids.ts";
import { periodEnd } from "./period-end.ts";
import type { Coupon, Discount, PromotionCode } from "./records.ts";

export interface CouponTerms {
  readonly id: string;
  readonly name: string | null;
  readonly percentOff: number | null;
  /** In the smallest unit, by currency; the first one is the coupon's own. */
  readonly amountsOff: Readonly<Record<string, number>> | null;
  readonly duration: "forever" | "once" | "repeating";
  readonly durationInMonths: number | null;
  readonly maxRedemptions: number | null;
  readonly redeemBy: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A coupon as Stripe makes it. */
export function newCoupon(terms: CouponTerms, now: number): Coupon {
  const [own] = Object.entries(terms.amountsOff ?? {});
  return {
    id: terms.id,
    object: "coupon",
    amount_off: own?.[1] ?? null,
    created: now,
    currency: own?.[0] ?? null,
    ...(terms.amountsOff === null
      ? {}
      : {
          currency_options: Object.fromEntries(
            Object.entries(terms.amountsOff).map(([currency, amount]) => [currency, { amount_off: amount }]),
          ),
        }),
    duration: terms.duration,
    duration_in_months: terms.durationInMonths,
    livemode: false,
    max_redemptions: terms.maxRedemptions,
    metadata: { ...terms.metadata },
    name: terms.name,
    percent_off: terms.percentOff,
    redeem_by: terms.redeemBy,
    times_redeemed: 0,
    valid: true,
  };
}

export interface PromotionTerms {
  readonly coupon: string;
  readonly code: string;
  readonly maxRedemptions: number | null;
  readonly expiresAt: number | null;
  readonly active: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What customers type in to get a coupon. */
export function newPromotionCode(terms: PromotionTerms, now: number): PromotionCode {
  return {
    id: newStripeId("promo"),
    object: "promotion_code",
    active: terms.active,
    code: terms.code,
    created: now,
    customer: null,
    customer_account: null,
    expires_at: terms.expiresAt,
    livemode: false,
    max_redemptions: terms.maxRedemptions,
    metadata: { ...terms.metadata },
    promotion: { coupon: terms.coupon, type: "coupon" },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
}

/** A coupon as it was given to a subscription. */
export function newDiscount(
  coupon: Coupon,
  promotionCode: string,
  given: { readonly customer: string; readonly subscription: string },
  now: number,
): Discount {
  const months = coupon.duration === "repeating" ? coupon.duration_in_months : null;
  return {
    id: newStripeId("di"),
    object: "discount",
    checkout_session: null,
    customer: given.customer,
    customer_account: null,
    end: months === null ? null : periodEnd(now, "month", months),
    invoice: null,
    invoice_item: null,
    promotion_code: promotionCode,
    source: { coupon: coupon.id, type: "coupon" },
    start: now,
    subscription: given.subscription,
    subscription_item: null,
  };
}
