import { z } from "zod";
import { REFUND_REASONS } from "#libs/domain/invoice.ts";
import { refundCharge } from "../engine/refunds.ts";
import { endpoint, expand, integer, listing, metadata, pageOf, retrieval, text } from "./endpoint.ts";

const dated = { ...listing, created: z.strictObject({ gte: integer }).optional() };
const invoiceListing = z.strictObject({
  ...dated,
  subscription: text.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
});
const paymentListing = z.strictObject({
  ...listing,
  invoice: text.optional(),
  status: z.enum(["open", "paid", "canceled"]).optional(),
  payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: text }).optional(),
});
const chargeListing = z.strictObject({ ...listing, payment_intent: text.optional() });
const reversalListing = z.strictObject({ ...dated, charge: text.optional() });
const newRefund = z.strictObject({
  charge: text,
  amount: integer.optional(),
  reason: z.enum(REFUND_REASONS).optional(),
  metadata: metadata.default({}),
  expand,
});

/** Reading invoices, charges, refunds and disputes, and making refunds. */
export const MONEY_ENDPOINTS = [
  endpoint("GET", "/v1/invoices", invoiceListing, (engine, params) => {
    const { created, subscription, status } = params;
    const where = { created, status, "parent.subscription_details.subscription": subscription };
    return pageOf(engine, "invoice", "/v1/invoices", params, where);
  }),

  endpoint("GET", "/v1/invoices/:id", retrieval, ({ records }, _params, id) => records.get("invoice", id)),

  endpoint("GET", "/v1/invoice_payments", paymentListing, (engine, params) => {
    const { invoice, status, payment } = params;
    const where = { invoice, status, "payment.payment_intent": payment?.payment_intent };
    return pageOf(engine, "invoicePayment", "/v1/invoice_payments", params, where);
  }),

  endpoint("GET", "/v1/charges", chargeListing, (engine, params) =>
    pageOf(engine, "charge", "/v1/charges", params, { payment_intent: params.payment_intent }),
  ),

  endpoint("GET", "/v1/charges/:id", retrieval, ({ records }, _params, id) => records.get("charge", id)),

  endpoint("POST", "/v1/refunds", newRefund, (engine, { charge, ...terms }) =>
    refundCharge(engine, engine.records.get("charge", charge, "charge"), terms),
  ),

  endpoint("GET", "/v1/refunds", reversalListing, (engine, params) =>
    pageOf(engine, "refund", "/v1/refunds", params, { charge: params.charge, created: params.created }),
  ),

  endpoint("GET", "/v1/disputes", reversalListing, (engine, params) =>
    pageOf(engine, "dispute", "/v1/disputes", params, { charge: params.charge, created: params.created }),
  ),
];
