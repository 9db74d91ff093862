import { z } from "zod";
import { endpoint, integer, listing, pageOf, retrieval, text } from "./endpoint.ts";

const dated = { ...listing, created: z.strictObject({ gte: integer }).optional() };
const invoiceListing = z.strictObject({ ...dated, subscription: text.optional() });
const paymentListing = z.strictObject({
  ...listing,
  invoice: text.optional(),
  payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: text }).optional(),
});
const chargeListing = z.strictObject({ ...listing, payment_intent: text.optional() });
const refundListing = z.strictObject({ ...dated, charge: text.optional() });

/** Reading invoices, charges, refunds and disputes. */
export const MONEY_ENDPOINTS = [
  endpoint("GET", "/v1/invoices", invoiceListing, (engine, params) => {
    const { created, subscription } = params;
    const where = { created, "parent.subscription_details.subscription": subscription };
    return pageOf(engine, "invoice", "/v1/invoices", params, where);
  }),

  endpoint("GET", "/v1/invoices/:id", retrieval, ({ records }, _params, id) => records.get("invoice", id)),

  endpoint("GET", "/v1/invoice_payments", paymentListing, (engine, params) => {
    const { invoice, payment } = params;
    const where = { invoice, "payment.payment_intent": payment?.payment_intent };
    return pageOf(engine, "invoicePayment", "/v1/invoice_payments", params, where);
  }),

  endpoint("GET", "/v1/charges", chargeListing, (engine, params) =>
    pageOf(engine, "charge", "/v1/charges", params, { payment_intent: params.payment_intent }),
  ),

  endpoint("GET", "/v1/charges/:id", retrieval, ({ records }, _params, id) => records.get("charge", id)),

  endpoint("GET", "/v1/refunds", refundListing, (engine, params) =>
    pageOf(engine, "refund", "/v1/refunds", params, { charge: params.charge, created: params.created }),
  ),

  endpoint("GET", "/v1/disputes", z.strictObject(dated), (engine, params) =>
    pageOf(engine, "dispute", "/v1/disputes", params, { created: params.created }),
  ),
];
