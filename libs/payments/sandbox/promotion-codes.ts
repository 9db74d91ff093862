import { ApiError } from "./api-error.ts";
import { type CouponTerms, newCoupon, newPromotionCode } from "./new-discount.ts";
import type { Store } from "./record-shelf.ts";
import type { Coupon, PromotionCode } from "./records.ts";
import type { World } from "./world.ts";

/** A code that every account of the sandbox has from the start. */
interface StandingCode {
  readonly code: string;
  readonly coupon: Pick<CouponTerms, "name" | "duration"> & Partial<CouponTerms>;
  readonly over?: "expired" | "used up";
}

export const STANDING_CODES: readonly StandingCode[] = [
  { code: "WELCOME20", coupon: { name: "20% off the first payment", percentOff: 20, duration: "once" } },
  { code: "FIRSTFREE", coupon: { name: "First payment free", percentOff: 100, duration: "once" } },
  {
    code: "QUARTER25",
    coupon: { name: "25% off for three months", percentOff: 25, duration: "repeating", durationInMonths: 3 },
  },
  { code: "FOREVER10", coupon: { name: "10% off for ever", percentOff: 10, duration: "forever" } },
  {
    code: "FIVEOFF",
    coupon: {
      name: "5 off the first payment",
      amountsOff: { usd: 500, eur: 500, gbp: 500 },
      duration: "once",
    },
  },
  { code: "EXPIRED", coupon: { name: "Has expired", percentOff: 50, duration: "once" }, over: "expired" },
  { code: "USEDUP", coupon: { name: "Is used up", percentOff: 50, duration: "once" }, over: "used up" },
];

/** Gives an account the codes that it does not have yet. */
export function addStandingCodes(records: Store, now: number): void {
  for (const { code, coupon, over } of STANDING_CODES) {
    const id = `sandbox-${code.toLowerCase()}`;
    if (records.find("coupon", id) !== undefined) continue;
    const terms = { percentOff: null, amountsOff: null, durationInMonths: null, maxRedemptions: null };
    records.save("coupon", newCoupon({ ...terms, redeemBy: null, metadata: {}, ...coupon, id }, now));
    const promotion = newPromotionCode(
      {
        coupon: id,
        code,
        active: over === undefined,
        expiresAt: over === "expired" ? now - 1 : null,
        maxRedemptions: over === "used up" ? 1 : null,
        metadata: {},
      },
      now,
    );
    records.save("promotionCode", { ...promotion, times_redeemed: over === "used up" ? 1 : 0 });
  }
}

/** The promotion that a customer typed in the code of. Throws the sentence that the page shows when it does not hold. */
export function findPromotion(
  world: World,
  typed: string,
  currency: string,
): { readonly promotion: PromotionCode; readonly coupon: Coupon } {
  const [promotion] = world.records.list("promotionCode", {
    where: { code: typed.trim().toUpperCase() },
    limit: 1,
  });
  const coupon = promotion === undefined ? undefined : couponOf(world.records, promotion);
  if (promotion === undefined || coupon === undefined) throw invalidCode("This code is not known.");
  const now = world.now();
  if (isOver(promotion.expires_at, now) || isOver(coupon.redeem_by, now)) {
    throw invalidCode("This code has expired.");
  }
  if (isUsedUp(promotion) || isUsedUp(coupon)) throw invalidCode("This code is used up.");
  if (!promotion.active) throw invalidCode("This code is no longer valid.");
  if (amountOff(coupon, 1, currency) === null) {
    throw invalidCode(`This code does not hold for prices in ${currency.toUpperCase()}.`);
  }
  return { promotion, coupon };
}

/** Counts a use of the promotion and of its coupon. */
export function redeem(records: Store, promotion: PromotionCode, coupon: Coupon): void {
  const used = { ...promotion, times_redeemed: promotion.times_redeemed + 1 };
  records.save("promotionCode", { ...used, active: used.active && !isUsedUp(used) });
  const spent = { ...coupon, times_redeemed: coupon.times_redeemed + 1 };
  records.save("coupon", { ...spent, valid: spent.valid && !isUsedUp(spent) });
}

/** What a coupon takes off an amount, rounded to the smallest unit; null when it does not hold for the currency. */
export function amountOff(coupon: Coupon, amount: number, currency: string): number | null {
  if (coupon.percent_off !== null) return Math.round((amount * coupon.percent_off) / 100);
  const off =
    coupon.currency_options?.[currency]?.amount_off ??
    (coupon.currency === currency ? coupon.amount_off : null);
  return off === null ? null : Math.min(off, amount);
}

/** The coupon behind a promotion code. */
export function couponOf(records: Store, { promotion }: PromotionCode): Coupon | undefined {
  return records.find("coupon", typeof promotion.coupon === "string" ? promotion.coupon : "");
}

function isOver(end: number | null, now: number): boolean {
  return end !== null && end <= now;
}

function isUsedUp({ max_redemptions: most, times_redeemed: used }: Coupon | PromotionCode): boolean {
  return most !== null && used >= most;
}

function invalidCode(message: string): ApiError {
  return new ApiError(400, {
    type: "invalid_request_error",
    code: "promotion_code_invalid",
    message,
    param: "promotionCode",
  });
}
