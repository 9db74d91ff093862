import { z } from "zod";
import { cardDeclined, invalidRequest, missing } from "./api-error.ts";
import { cardOf, finalizeInvoice, paymentMethodOf, voidInvoice } from "./billing.ts";
import { endpoint } from "./endpoint.ts";
import { pageOf } from "./pagination.ts";
import { boolean, datedListing, expand, listing, text } from "./parameters.ts";
import type { Invoice } from "./records.ts";
import { payInPerson, standByInvoice, subscriptionOfInvoice } from "./subscription-life.ts";
import type { World } from "./world.ts";

const retrieval = z.strictObject({ expand });
const invoiceListing = z.strictObject({
  ...datedListing,
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
});
const finalization = z.strictObject({ auto_advance: boolean.optional(), expand });
const paymentParams = z.strictObject({ payment_method: text.optional(), expand });
const paymentListing = z.strictObject({
  ...datedListing,
  invoice: text.optional(),
  payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: text }).optional(),
  status: z.enum(["canceled", "open", "paid"]).optional(),
});

export const INVOICE_ENDPOINTS = [
  endpoint("GET", "/v1/invoices", invoiceListing, ({ records }, params) => {
    const { customer, subscription, status } = params;
    const where = { customer, status, "parent.subscription_details.subscription": subscription };
    return pageOf(records, "invoice", "/v1/invoices", params, where);
  }),

  endpoint("GET", "/v1/invoices/:id", retrieval, (world, _params, id) => invoiceOf(world, id)),

  endpoint("GET", "/v1/invoices/:id/lines", z.strictObject(listing), (world, _params, id) => {
    return invoiceOf(world, id).lines;
  }),

  endpoint("POST", "/v1/invoices/:id/finalize", finalization, (world, _params, id) => {
    const invoice = invoiceOf(world, id);
    if (invoice.status !== "draft") throw invalidRequest("This invoice is already finalized.");
    const finalized = finalizeInvoice(world, invoice);
    if (finalized.status === "paid") standByInvoice(world, finalized);
    return invoiceOf(world, id);
  }),

  endpoint("POST", "/v1/invoices/:id/pay", paymentParams, (world, params, id) => {
    const invoice = invoiceOf(world, id);
    if (invoice.status === "paid") throw invalidRequest("Invoice is already paid");
    if (invoice.status !== "open")
      throw invalidRequest(`This invoice is ${invoice.status} and cannot be paid.`);
    const subscription = subscriptionOfInvoice(world, invoice);
    const method =
      params.payment_method === undefined
        ? subscription && paymentMethodOf(world, subscription)
        : world.records.find("paymentMethod", params.payment_method);
    if (method === undefined) throw invalidRequest("There is no payment method to pay this invoice with.");
    if (!payInPerson(world, invoice, method)) throw cardDeclined(cardOf(method)?.declineCode);
    return invoiceOf(world, id);
  }),

  endpoint("POST", "/v1/invoices/:id/void", retrieval, (world, _params, id) => {
    const invoice = invoiceOf(world, id);
    if (invoice.status !== "open" && invoice.status !== "uncollectible") {
      throw invalidRequest(`This invoice is ${invoice.status} and cannot be voided.`);
    }
    return voidInvoice(world, invoice);
  }),

  endpoint("GET", "/v1/invoice_payments", paymentListing, ({ records }, params) => {
    const { invoice, payment, status } = params;
    const where = { invoice, status, "payment.payment_intent": payment?.payment_intent };
    return pageOf(records, "invoicePayment", "/v1/invoice_payments", params, where);
  }),

  endpoint("GET", "/v1/invoice_payments/:id", retrieval, ({ records }, _params, id) => {
    const payment = records.find("invoicePayment", id);
    if (payment === undefined) throw missing("invoicePayment", id);
    return payment;
  }),
];

function invoiceOf({ records }: World, id: string): Invoice {
  const invoice = records.find("invoice", id);
  if (invoice === undefined) throw missing("invoice", id);
  return invoice;
}
