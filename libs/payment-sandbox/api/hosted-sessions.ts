import { z } from "zod";
import { formatMoney, smallestCharge } from "#libs/domain/money.ts";
import { invalidRequest } from "../engine/api-error.ts";
import { expireCheckout } from "../engine/checkouts.ts";
import type { Engine } from "../engine/engine.ts";
import { newStripeId } from "../engine/ids.ts";
import type { Checkout } from "../engine/record-kinds.ts";
import type { PortalSession, Price } from "../engine/records.ts";
import {
  boolean,
  email,
  endpoint,
  expand,
  integer,
  listing,
  metadata,
  pageOf,
  retrieval,
  text,
  webUrl,
} from "./endpoint.ts";

const DAY = 86_400;

const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, "Invalid decimal")
  .transform(Number)
  .refine((value) => value <= 100, "Must be at most 100");

const newCheckoutParams = z.strictObject({
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
  custom_text: z
    .strictObject({ submit: z.strictObject({ message: z.string().min(1).max(1200) }) })
    .optional(),
  // It takes cards only.
  excluded_payment_method_types: z.array(text).optional(),
  // It shows the price's currency only.
  adaptive_pricing: z.strictObject({ enabled: boolean }).optional(),
  metadata: metadata.default({}),
  subscription_data: z
    .strictObject({
      metadata: metadata.default({}),
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
    .default({ metadata: {} }),
  expand,
});

const checkoutListing = z.strictObject({ ...listing, subscription: text.optional() });
const newPortalParams = z.strictObject({ customer: text, return_url: webUrl.optional(), expand });

export const HOSTED_SESSION_ENDPOINTS = [
  endpoint("POST", "/v1/checkout/sessions", newCheckoutParams, (engine, params) => {
    const price = priceForSale(engine, params.line_items[0]?.price ?? "");
    requireSeller(engine, params.subscription_data.application_fee_percent);
    const checkout = newCheckout(engine, price, params);
    requireChargeable(checkout);
    engine.records.save("checkout", checkout);
    return checkout.session;
  }),

  endpoint("GET", "/v1/checkout/sessions", checkoutListing, (engine, params) => {
    const where = { "session.subscription": params.subscription };
    const { data, ...page } = pageOf(engine, "checkout", "/v1/checkout/sessions", params, where);
    return { ...page, data: data.map(({ session }) => session) };
  }),

  endpoint("GET", "/v1/checkout/sessions/:id", retrieval, ({ records }, _params, id) => {
    return records.get("checkout", id).session;
  }),

  endpoint("POST", "/v1/checkout/sessions/:id/expire", retrieval, (engine, _params, id) => {
    return expireCheckout(engine, engine.records.get("checkout", id)).session;
  }),

  endpoint("POST", "/v1/billing_portal/sessions", newPortalParams, ({ records, now, publicUrl }, params) => {
    const id = newStripeId("bps");
    const session: PortalSession = {
      id,
      object: "billing_portal.session",
      created: now(),
      customer: records.get("customer", params.customer, "customer").id,
      return_url: params.return_url ?? null,
      url: new URL(`/sandbox/portal/${id}`, publicUrl).href,
    };
    records.save("portal", session);
    return session;
  }),
];

/** As with Stripe, nothing is charged below a currency's smallest charge, except 0. */
function requireChargeable({ session: { amount_total: total, currency } }: Checkout): void {
  const least = smallestCharge(currency);
  if (total === 0 || total >= least) return;
  const sum = formatMoney(least, currency, "en-US");
  const message = `The Checkout Session's total amount due must add up to at least ${sum} ${currency}`;
  throw invalidRequest(message, undefined, "amount_too_small");
}

/** An open checkout session for a price. */
export function newCheckout(
  { now, publicUrl }: Pick<Engine, "now" | "publicUrl">,
  price: Price,
  params: Omit<z.infer<typeof newCheckoutParams>, "line_items">,
): Checkout {
  const id = newStripeId("cs_test");
  const sold = params.subscription_data;
  const amount = sold.trial_period_days === undefined ? price.unit_amount : 0;
  return {
    id,
    session: {
      id,
      object: "checkout.session",
      allow_promotion_codes: params.allow_promotion_codes ?? null,
      amount_subtotal: amount,
      amount_total: amount,
      cancel_url: params.cancel_url ?? null,
      client_reference_id: params.client_reference_id ?? null,
      created: now(),
      custom_text: { submit: params.custom_text?.submit ?? null },
      currency: price.currency,
      customer: null,
      customer_details: null,
      customer_email: params.customer_email ?? null,
      discounts: [],
      expires_at: now() + DAY,
      invoice: null,
      metadata: params.metadata,
      mode: "subscription",
      payment_method_collection: params.payment_method_collection,
      payment_status: "unpaid",
      status: "open",
      subscription: null,
      success_url: params.success_url,
      total_details: { amount_discount: 0 },
      url: new URL(`/sandbox/checkout/${id}`, publicUrl).href,
    },
    priceId: price.id,
    trialDays: sold.trial_period_days ?? 0,
    withoutCard: sold.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice",
    feePercent: sold.application_fee_percent ?? null,
    promotionCodeId: null,
    pendingSubscriptionId: null,
    subscriptionMetadata: sold.metadata,
  };
}

function priceForSale({ records }: Engine, id: string): Price {
  const param = "line_items[0][price]";
  const price = records.get("price", id, param);
  if (!price.active) throw invalidRequest("The price specified is inactive.", param);
  if (records.find("product", price.product)?.active === false) {
    throw invalidRequest("The price's product is inactive.", param, "product_inactive");
  }
  return price;
}

/** A connected account sells once it is set up, and only its sales can carry a fee. */
function requireSeller(engine: Engine, feePercent: number | undefined): void {
  if (engine.account === null) {
    if (feePercent === undefined) return;
    throw invalidRequest(
      "Can only apply an application_fee_percent when the request is made on behalf of another account.",
      "subscription_data[application_fee_percent]",
    );
  }
  const account = engine.forAccount(null).records.find("account", engine.account);
  if (account?.charges_enabled !== true) {
    throw invalidRequest("Your account cannot currently make charges.");
  }
}
