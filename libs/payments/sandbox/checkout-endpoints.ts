import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { expireCheckout } from "./checkout-life.ts";
import { endpoint } from "./endpoint.ts";
import { newCheckout } from "./new-checkout.ts";
import { pageOf } from "./pagination.ts";
import { boolean, email, expand, integer, listing, metadata, text, webUrl } from "./parameters.ts";
import type { Store } from "./record-shelf.ts";
import type { Checkout, Price } from "./records.ts";
import type { World } from "./world.ts";

const DAY = 86_400;
const HALF_HOUR = 1800;

const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, "Invalid decimal")
  .transform(Number)
  .refine((value) => value <= 100, "Must be at most 100");

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
      description: text.max(500).optional(),
      trial_period_days: integer.refine((days) => days >= 1 && days <= 730, "Must be 1 to 730").optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({
            missing_payment_method: z.enum(["cancel", "create_invoice", "pause"]),
          }),
        })
        .optional(),
      application_fee_percent: percent.optional(),
    })
    .optional(),
  expand,
});

const retrieval = z.strictObject({ expand });
const sessionListing = z.strictObject({
  ...listing,
  customer: text.optional(),
  status: z.enum(["complete", "expired", "open"]).optional(),
  subscription: text.optional(),
});

export const CHECKOUT_ENDPOINTS = [
  endpoint("POST", "/v1/checkout/sessions", newSessionParams, (world, params) => {
    const price = priceForSale(world, params.line_items[0]?.price ?? "");
    const feePercent = params.subscription_data?.application_fee_percent ?? null;
    requireSeller(world, feePercent);
    const createdAt = world.now();
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
        withoutCard:
          params.subscription_data?.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice",
        feePercent,
        metadata: params.metadata,
        subscriptionMetadata: params.subscription_data?.metadata ?? {},
      },
      world.publicUrl,
      createdAt,
    );
    world.records.save("checkout", checkout);
    return checkout.session;
  }),

  endpoint("GET", "/v1/checkout/sessions/:id", retrieval, ({ records }, _params, id) => {
    return checkoutOf(records, id).session;
  }),

  endpoint("GET", "/v1/checkout/sessions", sessionListing, ({ records }, params) => {
    const { customer, status, subscription } = params;
    const where = {
      "session.customer": customer,
      "session.status": status,
      "session.subscription": subscription,
    };
    const { data, ...page } = pageOf(records, "checkout", "/v1/checkout/sessions", params, where);
    return { ...page, data: data.map(({ session }) => session) };
  }),

  endpoint("POST", "/v1/checkout/sessions/:id/expire", retrieval, (world, _params, id) => {
    return expireCheckout(world, checkoutOf(world.records, id)).session;
  }),
];

function checkoutOf(records: Store, id: string): Checkout {
  const checkout = records.find("checkout", id);
  if (checkout === undefined) throw missing("checkout.session", id);
  return checkout;
}

function priceForSale({ records }: World, id: string): Price {
  const param = "line_items[0][price]";
  const price = records.find("price", id);
  if (price === undefined) throw missing("price", id, param);
  if (!price.active) throw invalidRequest("The price specified is inactive.", param);
  if (records.find("product", String(price.product))?.active === false) {
    throw invalidRequest("The price's product is inactive.", param, "product_inactive");
  }
  return price;
}

/** A connected account sells when it has been set up; only on its sales is there somebody to take a fee from. */
function requireSeller(world: World, feePercent: number | null): void {
  if (world.account === null) {
    if (feePercent === null) return;
    throw invalidRequest(
      "Can only apply an application_fee_percent when the request is made on behalf of another account.",
      "subscription_data[application_fee_percent]",
    );
  }
  const account = world.within(null).records.find("account", world.account);
  if (account?.charges_enabled !== true) {
    throw invalidRequest("Your account cannot currently make charges.");
  }
}
