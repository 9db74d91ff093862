import { z } from "zod";
import { REFUND_REASONS } from "#libs/domain/invoice.ts";
import { invalidRequest } from "../engine/api-error.ts";
import { finalizeInvoice, voidInvoice, writeOffInvoice } from "../engine/invoices.ts";
import type { Invoice } from "../engine/records.ts";
import { refundCharge } from "../engine/refunds.ts";
import { activateAfterPayment, payInvoice } from "../engine/subscriptions.ts";
import {
  boolean,
  endpoint,
  expand,
  integer,
  listing,
  metadata,
  pageOf,
  retrieval,
  text,
} from "./endpoint.ts";

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
  refund_application_fee: boolean.optional(),
  metadata: metadata.default({}),
  expand,
});

const advancing = z.strictObject({ auto_advance: boolean, expand });
const payment = z.strictObject({ off_session: boolean.optional(), expand });

function requireUnsettled({ status }: Invoice): void {
  if (status === "draft" || status === "open") return;
  throw invalidRequest(`A ${status} invoice is not collected.`, "auto_advance");
}

/** Reading, collecting and voiding invoices, reading charges, refunds and disputes, and making refunds. */
export const MONEY_ENDPOINTS = [
  endpoint("GET", "/v1/invoices", invoiceListing, (engine, params) => {
    const { created, subscription, status } = params;
    const where = { created, status, "parent.subscription_details.subscription": subscription };
    return pageOf(engine, "invoice", "/v1/invoices", params, where);
  }),

  endpoint("GET", "/v1/invoices/:id", retrieval, ({ records }, _params, id) => records.get("invoice", id)),

  endpoint("POST", "/v1/invoices/:id", advancing, ({ records, now }, { auto_advance }, id) => {
    const before = records.get("invoice", id);
    const { next_payment_attempt: planned } = before;
    // An attempt that was due while nothing was collected is made now, and not then.
    const next = auto_advance && planned !== null ? Math.max(planned, now()) : planned;
    const invoice = { ...before, auto_advance, next_payment_attempt: next };
    requireUnsettled(invoice);
    records.save("invoice", invoice);
    return invoice;
  }),

  endpoint("POST", "/v1/invoices/:id/finalize", advancing, (engine, { auto_advance }, id) => {
    const draft = engine.records.get("invoice", id);
    if (draft.status !== "draft") throw invalidRequest("This invoice is already finalized.");
    return finalizeInvoice(engine, { ...draft, auto_advance });
  }),

  endpoint("POST", "/v1/invoices/:id/pay", payment, (engine, _params, id) => {
    const invoice = engine.records.get("invoice", id);
    if (invoice.status === "paid") throw invalidRequest("Invoice is already paid");
    if (invoice.status !== "open") throw invalidRequest(`A ${invoice.status} invoice takes no payment.`);
    return payInvoice(engine, invoice);
  }),

  endpoint("POST", "/v1/invoices/:id/void", retrieval, (engine, _params, id) => {
    const invoice = engine.records.get("invoice", id);
    if (invoice.status !== "open" && invoice.status !== "uncollectible") {
      throw invalidRequest(
        `You can only pass in open or uncollectible invoices. This one is ${invoice.status}.`,
      );
    }
    const voided = voidInvoice(engine, invoice);
    activateAfterPayment(engine, voided);
    return voided;
  }),

  endpoint("POST", "/v1/invoices/:id/mark_uncollectible", retrieval, (engine, _params, id) => {
    const invoice = engine.records.get("invoice", id);
    if (invoice.status !== "open") throw invalidRequest("Only an open invoice can be marked uncollectible.");
    return writeOffInvoice(engine, invoice);
  }),

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
