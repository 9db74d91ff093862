import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { pageOf } from "./pagination.ts";
import { datedListing, expand, integer, metadata, text } from "./parameters.ts";
import type { Charge, Dispute } from "./records.ts";
import { closeDispute, refundCharge } from "./refunds.ts";
import type { World } from "./world.ts";

const retrieval = z.strictObject({ expand });
const chargeListing = z.strictObject({
  ...datedListing,
  customer: text.optional(),
  payment_intent: text.optional(),
});
const ofCharge = z.strictObject({
  ...datedListing,
  charge: text.optional(),
  payment_intent: text.optional(),
});
const intentListing = z.strictObject({ ...datedListing, customer: text.optional() });
const newRefundParams = z.strictObject({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.refine((amount) => amount >= 1, "Must be at least 1").optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: metadata.default({}),
  expand,
});

export const CHARGE_ENDPOINTS = [
  endpoint("GET", "/v1/charges", chargeListing, ({ records }, params) => {
    const { customer, payment_intent } = params;
    return pageOf(records, "charge", "/v1/charges", params, { customer, payment_intent });
  }),

  endpoint("GET", "/v1/charges/:id", retrieval, (world, _params, id) => chargeOf(world, id)),

  endpoint("GET", "/v1/payment_intents", intentListing, ({ records }, params) =>
    pageOf(records, "paymentIntent", "/v1/payment_intents", params, { customer: params.customer }),
  ),

  endpoint("GET", "/v1/payment_intents/:id", retrieval, ({ records }, _params, id) => {
    const intent = records.find("paymentIntent", id);
    if (intent === undefined) throw missing("paymentIntent", id);
    return intent;
  }),

  endpoint("GET", "/v1/payment_methods/:id", retrieval, ({ records }, _params, id) => {
    const method = records.find("paymentMethod", id);
    if (method === undefined) throw missing("paymentMethod", id);
    return method;
  }),

  endpoint("POST", "/v1/refunds", newRefundParams, (world, params) => {
    const { charge, payment_intent: intent, amount, reason } = params;
    if ((charge === undefined) === (intent === undefined)) {
      throw invalidRequest("Either charge or payment_intent is needed.", "charge", "parameter_missing");
    }
    const id = charge ?? String(world.records.find("paymentIntent", intent ?? "")?.latest_charge);
    const found = world.records.find("charge", id);
    if (found === undefined)
      throw missing("charge", charge ?? intent ?? "", charge ? "charge" : "payment_intent");
    return refundCharge(world, found, { amount, reason, metadata: params.metadata });
  }),

  endpoint("GET", "/v1/refunds", ofCharge, ({ records }, params) => {
    const { charge, payment_intent } = params;
    return pageOf(records, "refund", "/v1/refunds", params, { charge, payment_intent });
  }),

  endpoint("GET", "/v1/refunds/:id", retrieval, ({ records }, _params, id) => {
    const refund = records.find("refund", id);
    if (refund === undefined) throw missing("refund", id);
    return refund;
  }),

  endpoint("GET", "/v1/disputes", ofCharge, ({ records }, params) => {
    const { charge, payment_intent } = params;
    return pageOf(records, "dispute", "/v1/disputes", params, { charge, payment_intent });
  }),

  endpoint("GET", "/v1/disputes/:id", retrieval, (world, _params, id) => disputeOf(world, id)),

  // Who closes a dispute accepts it.
  endpoint("POST", "/v1/disputes/:id/close", retrieval, (world, _params, id) =>
    closeDispute(world, disputeOf(world, id), "lost"),
  ),
];

/** Throws 404 in Stripe's words. */
export function chargeOf({ records }: World, id: string): Charge {
  const charge = records.find("charge", id);
  if (charge === undefined) throw missing("charge", id);
  return charge;
}

/** Throws 404 in Stripe's words. */
export function disputeOf({ records }: World, id: string): Dispute {
  const dispute = records.find("dispute", id);
  if (dispute === undefined) throw missing("dispute", id);
  return dispute;
}
