import type { FastifyInstance } from "fastify";
import { ApiError, cardDeclined, invalidRequest, missing } from "./api-error.ts";
import { customerOf } from "./billing.ts";
import { invoicePage } from "./invoice-page.ts";
import { newPaymentMethod } from "./new-payment.ts";
import { chosenCard, isProgram, readFields, sendPage } from "./page-io.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import type { Invoice } from "./records.ts";
import { payInPerson, subscriptionOfInvoice } from "./subscription-life.ts";
import type { World } from "./world.ts";

interface InvoiceRoute {
  Params: { id: string };
}

/** The pages of an invoice: to read, to print, and to pay it with another card. */
export function invoiceRoutes(app: FastifyInstance, platform: World): void {
  app.get<InvoiceRoute>("/sandbox/invoices/:id", (request, reply) => {
    const { invoice } = visit(platform, request.params.id);
    return sendPage(reply, 200, invoicePage(invoice, false, null));
  });

  app.get<InvoiceRoute>("/sandbox/invoices/:id/pdf", (request, reply) => {
    const { invoice } = visit(platform, request.params.id);
    return sendPage(reply, 200, invoicePage(invoice, true, null));
  });

  app.post<InvoiceRoute>("/sandbox/invoices/:id/pay", (request, reply) => {
    const { world, invoice } = visit(platform, request.params.id);
    try {
      const card = chosenCard(readFields(request));
      world.write(() => {
        if (invoice.status === "paid") return;
        if (invoice.status !== "open") throw invalidRequest(`This invoice is ${invoice.status}.`);
        const method = newPaymentMethod(card, customerOf(world, invoice.customer), world.now());
        if (card.inPerson === "declined") throw cardDeclined(card.declineCode);
        world.records.save("paymentMethod", method);
        payInPerson(world, invoice, method);
        keepCard(world, invoice, method.id);
      });
      if (isProgram(request)) return reply.send({ status: "paid" });
      return reply.redirect(`/sandbox/invoices/${invoice.id}`, 303);
    } catch (error) {
      if (!(error instanceof ApiError) || isProgram(request)) throw error;
      return sendPage(reply, error.status, invoicePage(invoice, false, error.message));
    }
  });
}

/** The card that paid is the one that later payments are taken from. */
function keepCard(world: World, invoice: Invoice, method: string): void {
  const subscription = subscriptionOfInvoice(world, invoice);
  if (subscription === undefined || subscription.ended_at !== null) return;
  world.records.save("subscription", { ...subscription, default_payment_method: method });
}

function visit(platform: World, id: string): { readonly world: World; readonly invoice: Invoice } {
  settleWhatIsDue(platform);
  const world = platform.within(platform.state.records.ownerOf("invoice", id) ?? null);
  const invoice = world.records.find("invoice", id);
  if (invoice === undefined || invoice.status === "draft") throw missing("invoice", id);
  return { world, invoice };
}
