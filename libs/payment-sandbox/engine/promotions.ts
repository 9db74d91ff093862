import { periodEnd } from "#libs/domain/period-end.ts";
import { ApiError, invalidRequest } from "./api-error.ts";
import type { Engine } from "./engine.ts";
import { newStripeId } from "./ids.ts";
import type { Coupon, Discount, PromotionCode, Subscription } from "./records.ts";
import type { AccountStore } from "./store.ts";

/** A code and what it takes off: a percentage, or an amount per currency in the smallest unit. */
export interface PromotionTerms {
  readonly code: string;
  readonly name: string | null;
  readonly percentOff?: number | undefined;
  readonly amountsOff?: Readonly<Record<string, number>> | undefined;
  /** How many months of payments it applies to; null for all. Default the first payment only. */
  readonly months?: number | null | undefined;
  readonly maxRedemptions?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly timesRedeemed?: number;
}

/** The codes that every account has from the start. */
export const BUILT_IN_CODES: readonly PromotionTerms[] = [
  { code: "WELCOME20", name: "20% off the first payment", percentOff: 20 },
  { code: "FIRSTFREE", name: "First payment free", percentOff: 100 },
  { code: "QUARTER25", name: "25% off for three months", percentOff: 25, months: 3 },
  { code: "FOREVER10", name: "10% off forever", percentOff: 10, months: null },
  { code: "FIVEOFF", name: "5 off the first payment", amountsOff: { usd: 500, eur: 500, gbp: 500 } },
  { code: "EXPIRED", name: "Has expired", percentOff: 50, expiresAt: 0 },
  { code: "USEDUP", name: "Is used up", percentOff: 50, maxRedemptions: 1, timesRedeemed: 1 },
];

/** Adds the built-in codes that an account doesn't have yet. */
export function addBuiltInCodes(records: AccountStore, now: number): void {
  for (const terms of BUILT_IN_CODES) {
    const id = `sandbox-${terms.code.toLowerCase()}`;
    if (records.find("coupon", id) === undefined) savePromotion(records, id, terms, now);
  }
}

/** Creates a promotion code. Throws `ApiError` 400 when an active one has the same code. */
export function createPromotion({ records, now }: Engine, terms: PromotionTerms): PromotionCode {
  const code = terms.code.toUpperCase();
  const [taken] = records.list("promotionCode", { where: { code, active: true }, limit: 1 });
  if (taken !== undefined) throw invalidRequest(`There already is an active code ${code}.`, "code");
  const id = newStripeId("promo");
  return savePromotion(records, `coupon-${id}`, { ...terms, code }, now());
}

function savePromotion(
  records: AccountStore,
  couponId: string,
  terms: PromotionTerms,
  now: number,
): PromotionCode {
  const { months, amountsOff, timesRedeemed = 0, maxRedemptions = null, expiresAt = null } = terms;
  records.save("coupon", {
    id: couponId,
    object: "coupon",
    ...(amountsOff === undefined ? {} : { currency_options: currencyOptions(amountsOff) }),
    duration: months === undefined ? "once" : months === null ? "forever" : "repeating",
    duration_in_months: months ?? null,
    name: terms.name,
    percent_off: terms.percentOff ?? null,
  });
  const promotion: PromotionCode = {
    id: newStripeId("promo"),
    object: "promotion_code",
    active: true,
    code: terms.code,
    created: now,
    expires_at: expiresAt,
    max_redemptions: maxRedemptions,
    promotion: { coupon: couponId, type: "coupon" },
    times_redeemed: timesRedeemed,
  };
  records.save("promotionCode", promotion);
  return promotion;
}

function currencyOptions(amounts: Readonly<Record<string, number>>): NonNullable<Coupon["currency_options"]> {
  return Object.fromEntries(
    Object.entries(amounts).map(([currency, off]) => [currency, { amount_off: off }]),
  );
}

/** A promotion code and the coupon behind it. */
export interface Promotion {
  readonly promotion: PromotionCode;
  readonly coupon: Coupon;
}

/** The promotion with that id; null where there is none. */
export function readPromotion(records: AccountStore, id: string | null | undefined): Promotion | null {
  const promotion = records.find("promotionCode", id ?? "");
  const coupon = promotion && records.find("coupon", promotion.promotion.coupon);
  return promotion === undefined || coupon === undefined ? null : { promotion, coupon };
}

/** The promotion for a code as a customer typed it. Throws the sentence that the page shows when it can't be used. */
export function findPromotion({ records, now }: Engine, typed: string, currency: string): Promotion {
  const [known] = records.list("promotionCode", { where: { code: typed.trim().toUpperCase() }, limit: 1 });
  const found = readPromotion(records, known?.id);
  if (found === null) throw invalidCode("We don't know this code.");
  const { active, expires_at, max_redemptions: most, times_redeemed: used } = found.promotion;
  if (expires_at !== null && expires_at <= now()) throw invalidCode("This code has expired.");
  if (most !== null && used >= most) throw invalidCode("This code is used up.");
  if (!active) throw invalidCode("This code is no longer valid.");
  if (amountOff(found.coupon, 1, currency) === null) {
    throw invalidCode(`This code isn't valid for prices in ${currency.toUpperCase()}.`);
  }
  return found;
}

/** Gives the subscription the promotion's coupon, and counts the use. */
export function redeem(
  { records, now }: Engine,
  { promotion, coupon }: Promotion,
  { id: subscription, customer }: { readonly id: string; readonly customer: string },
): Discount {
  const used = promotion.times_redeemed + 1;
  const active = promotion.active && used < (promotion.max_redemptions ?? Number.POSITIVE_INFINITY);
  records.save("promotionCode", { ...promotion, active, times_redeemed: used });
  const months = coupon.duration === "repeating" ? coupon.duration_in_months : null;
  const discount: Discount = {
    id: newStripeId("di"),
    object: "discount",
    customer,
    end: months === null ? null : periodEnd(now(), { interval: "month", interval_count: months }),
    promotion_code: promotion.id,
    source: { coupon: coupon.id, type: "coupon" },
    start: now(),
    subscription,
  };
  records.save("discount", discount);
  return discount;
}

/** How much a coupon takes off an amount, rounded to the smallest unit; null when it doesn't cover the currency. */
export function amountOff(coupon: Coupon, amount: number, currency: string): number | null {
  if (coupon.percent_off !== null) return Math.round((amount * coupon.percent_off) / 100);
  const off = coupon.currency_options?.[currency]?.amount_off ?? null;
  return off === null ? null : Math.min(off, amount);
}

/** The discounts of the next payment, and the ids that stay: one for a single payment waits for one above zero. */
export function applyDiscounts({ records, now }: Engine, subscription: Subscription, amount: number) {
  let rest = amount;
  const taken: { amount: number; discount: string }[] = [];
  const kept: string[] = [];
  for (const id of subscription.discounts) {
    const given = records.find("discount", id);
    const coupon = given && records.find("coupon", given.source.coupon);
    if (coupon === undefined || (given?.end ?? Number.POSITIVE_INFINITY) <= now()) continue;
    const off = Math.min(amountOff(coupon, rest, subscription.currency) ?? 0, rest);
    if (amount > 0) taken.push({ amount: off, discount: id });
    if (amount === 0 || coupon.duration !== "once") kept.push(id);
    rest -= off;
  }
  return { taken, kept };
}

function invalidCode(message: string): ApiError {
  return new ApiError(400, {
    type: "invalid_request_error",
    code: "promotion_code_invalid",
    message,
    param: "promotionCode",
  });
}
