import { invalidRequest } from "./api-error.ts";
import { requireOpen } from "./checkout-life.ts";
import { amountOff, findPromotion } from "./promotion-codes.ts";
import type { Checkout } from "./records.ts";
import type { World } from "./world.ts";

/** Sets the session's promotion code, or takes it away for an empty text. Throws `ApiError` 400 when it does not hold. */
export function applyPromotion(world: World, checkout: Checkout, typed: string): Checkout {
  requireOpen(checkout);
  const { session } = checkout;
  if (session.allow_promotion_codes !== true) throw invalidRequest("This session takes no promotion codes.");
  if (checkout.pendingSubscriptionId != null) throw invalidRequest("This session's payment has begun.");
  const found = typed.trim() === "" ? null : findPromotion(world, typed, session.currency ?? "");
  const subtotal = session.amount_subtotal ?? 0;
  const off = found === null ? 0 : (amountOff(found.coupon, subtotal, session.currency ?? "") ?? 0);
  const discounted: Checkout = {
    ...checkout,
    promotionCodeId: found?.promotion.id ?? null,
    session: {
      ...session,
      amount_total: subtotal - off,
      discounts: found === null ? [] : [{ coupon: null, promotion_code: found.promotion.id }],
      total_details: { amount_discount: off, amount_shipping: 0, amount_tax: 0 },
    },
  };
  world.records.save("checkout", discounted);
  return discounted;
}
