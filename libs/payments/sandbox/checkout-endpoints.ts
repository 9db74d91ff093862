import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { expireCheckout } from "./lifecycle.ts";
import { newCheckout } from "./new-checkout.ts";
import { boolean, email, expand, integer, metadata, text, webUrl } from "./parameters.ts";
import type { Checkout } from "./records.ts";
import type { State } from "./state.ts";

const DAY = 86_400;
const HALF_HOUR = 1800;

const newSessionParams = z.strictObject({
  mode: z.literal("subscription", { error: "The sandbox sells subscriptions only" }),
  line_items: z
    .array(
      z.strictObject({
        price: text,
        quantity: integer.refine((quantity) => quantity === 1, "The sandbox sells one at a time"),
      }),
    )
    .length(1, "The sandbox sells one price at a time"),
  success_url: webUrl,
  cancel_url: webUrl.optional(),
  customer_email: email.optional(),
  client_reference_id: text.max(200).optional(),
  allow_promotion_codes: boolean.optional(),
  payment_method_collection: z.enum(["always", "if_required"]).default("always"),
  expires_at: integer.optional(),
  metadata: metadata.default({}),
  subscription_data: z
    .strictObject({
      metadata: metadata.default({}),
      trial_period_days: integer.refine((days) => days >= 1 && days <= 730, "Must be 1 to 730").optional(),
    })
    .optional(),
  expand,
});

const retrieval = z.strictObject({ expand });

export const CHECKOUT_ENDPOINTS = [
  endpoint("POST", "/v1/checkout/sessions", newSessionParams, ({ state, publicUrl, now }, params) => {
    const priceId = params.line_items[0]?.price ?? "";
    const price = state.find("price", priceId);
    if (price === undefined) throw missing("price", priceId, "line_items[0][price]");
    if (!price.active) {
      throw invalidRequest("The price specified is inactive.", "line_items[0][price]");
    }
    const createdAt = now();
    const expiresAt = params.expires_at ?? createdAt + DAY;
    if (expiresAt < createdAt + HALF_HOUR || expiresAt > createdAt + DAY) {
      throw invalidRequest(
        "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
        "expires_at",
      );
    }
    const checkout = newCheckout(
      {
        price,
        successUrl: params.success_url,
        cancelUrl: params.cancel_url ?? null,
        email: params.customer_email ?? null,
        clientReferenceId: params.client_reference_id ?? null,
        allowPromotionCodes: params.allow_promotion_codes ?? null,
        paymentMethodCollection: params.payment_method_collection,
        expiresAt,
        trialDays: params.subscription_data?.trial_period_days ?? 0,
        metadata: params.metadata,
        subscriptionMetadata: params.subscription_data?.metadata ?? {},
      },
      publicUrl,
      createdAt,
    );
    state.save("checkout", checkout);
    return checkout.session;
  }),

  endpoint("GET", "/v1/checkout/sessions/:id", retrieval, ({ state }, _params, id) => {
    return checkoutOf(state, id).session;
  }),

  endpoint("POST", "/v1/checkout/sessions/:id/expire", retrieval, (world, _params, id) => {
    return expireCheckout(world, checkoutOf(world.state, id)).session;
  }),
];

function checkoutOf(state: State, id: string): Checkout {
  const checkout = state.find("checkout", id);
  if (checkout === undefined) throw missing("checkout.session", id);
  return checkout;
}
