import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { newCode } from "./ids.ts";
import { newCoupon, newPromotionCode } from "./new-discount.ts";
import { pageOf } from "./pagination.ts";
import { boolean, currency, datedListing, expand, integer, metadata, text } from "./parameters.ts";
import type { Coupon, PromotionCode } from "./records.ts";
import type { World } from "./world.ts";

const atLeastOne = integer.refine((count) => count >= 1, "Must be at least 1");
const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, "Invalid decimal")
  .transform(Number)
  .refine((value) => value > 0 && value <= 100, "Must be more than 0 and at most 100");

const newCouponParams = z
  .strictObject({
    id: text.max(200).optional(),
    name: text.max(40).optional(),
    percent_off: percent.optional(),
    amount_off: atLeastOne.optional(),
    currency: currency.optional(),
    duration: z.enum(["forever", "once", "repeating"]).default("once"),
    duration_in_months: atLeastOne.optional(),
    max_redemptions: atLeastOne.optional(),
    redeem_by: integer.optional(),
    metadata: metadata.default({}),
    expand,
  })
  .refine((coupon) => (coupon.percent_off === undefined) !== (coupon.amount_off === undefined), {
    message: "Exactly one of percent_off and amount_off is needed",
    path: ["percent_off"],
  })
  .refine((coupon) => (coupon.amount_off === undefined) === (coupon.currency === undefined), {
    message: "An amount goes with its currency",
    path: ["currency"],
  })
  .refine((coupon) => (coupon.duration === "repeating") === (coupon.duration_in_months !== undefined), {
    message: "Months go with the duration repeating",
    path: ["duration_in_months"],
  });

const newPromotionParams = z.strictObject({
  promotion: z.strictObject({ type: z.literal("coupon"), coupon: text }),
  code: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,500}$/, "Invalid code")
    .optional(),
  active: boolean.default(true),
  max_redemptions: atLeastOne.optional(),
  expires_at: integer.optional(),
  metadata: metadata.default({}),
  expand,
});

const promotionChange = z.strictObject({
  active: boolean.optional(),
  metadata: metadata.optional(),
  expand,
});
const promotionListing = z.strictObject({
  ...datedListing,
  active: boolean.optional(),
  code: text.optional(),
  coupon: text.optional(),
});
const retrieval = z.strictObject({ expand });

export const DISCOUNT_ENDPOINTS = [
  endpoint("POST", "/v1/coupons", newCouponParams, ({ records, now }, params) => {
    const id = params.id ?? newCode();
    if (records.find("coupon", id) !== undefined) {
      throw invalidRequest("Coupon already exists.", "id", "resource_already_exists");
    }
    const { amount_off: amount, currency: own } = params;
    const coupon = newCoupon(
      {
        id,
        name: params.name ?? null,
        percentOff: params.percent_off ?? null,
        amountsOff: amount === undefined || own === undefined ? null : { [own]: amount },
        duration: params.duration,
        durationInMonths: params.duration_in_months ?? null,
        maxRedemptions: params.max_redemptions ?? null,
        redeemBy: params.redeem_by ?? null,
        metadata: params.metadata,
      },
      now(),
    );
    records.save("coupon", coupon);
    return coupon;
  }),

  endpoint("GET", "/v1/coupons", z.strictObject(datedListing), ({ records }, params) =>
    pageOf(records, "coupon", "/v1/coupons", params),
  ),

  endpoint("GET", "/v1/coupons/:id", retrieval, (world, _params, id) => couponOf(world, id)),

  endpoint("POST", "/v1/promotion_codes", newPromotionParams, (world, params) => {
    const coupon = couponOf(world, params.promotion.coupon, "promotion[coupon]");
    const code = (params.code ?? newCode()).toUpperCase();
    const [taken] = world.records.list("promotionCode", { where: { code, active: true }, limit: 1 });
    if (taken !== undefined) {
      throw invalidRequest(`An active promotion code with \`code: ${code}\` already exists.`, "code");
    }
    const promotion = newPromotionCode(
      {
        coupon: coupon.id,
        code,
        active: params.active,
        maxRedemptions: params.max_redemptions ?? null,
        expiresAt: params.expires_at ?? null,
        metadata: params.metadata,
      },
      world.now(),
    );
    world.records.save("promotionCode", promotion);
    return promotion;
  }),

  endpoint("GET", "/v1/promotion_codes", promotionListing, ({ records }, params) => {
    const { active, coupon } = params;
    const where = { active, code: params.code?.toUpperCase(), "promotion.coupon": coupon };
    return pageOf(records, "promotionCode", "/v1/promotion_codes", params, where);
  }),

  endpoint("GET", "/v1/promotion_codes/:id", retrieval, (world, _params, id) => promotionOf(world, id)),

  endpoint("POST", "/v1/promotion_codes/:id", promotionChange, (world, params, id) => {
    const before = promotionOf(world, id);
    const promotion: PromotionCode = {
      ...before,
      active: params.active ?? before.active,
      metadata: { ...before.metadata, ...params.metadata },
    };
    world.records.save("promotionCode", promotion);
    return promotion;
  }),
];

function couponOf({ records }: World, id: string, param?: string): Coupon {
  const coupon = records.find("coupon", id);
  if (coupon === undefined) throw missing("coupon", id, param);
  return coupon;
}

function promotionOf({ records }: World, id: string): PromotionCode {
  const promotion = records.find("promotionCode", id);
  if (promotion === undefined) throw missing("promotionCode", id);
  return promotion;
}
