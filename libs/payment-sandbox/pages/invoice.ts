import type { FastifyInstance } from "fastify";
import { type Html, html } from "#libs/html/index.ts";
import { cardDeclined, invalidRequest, missing } from "../engine/api-error.ts";
import type { Card } from "../engine/cards.ts";
import type { Engine } from "../engine/engine.ts";
import { keepCard } from "../engine/payments.ts";
import type { Invoice } from "../engine/records.ts";
import { chargeOnSession, subscriptionOf } from "../engine/subscriptions.ts";
import { chosenCard, isProgram, type ObjectRoute, openObject, sendPage, submit } from "./forms.ts";
import { type InvoiceRow, invoicePdf } from "./invoice-pdf.ts";
import { cardChoice, day, joined, money, page, problemNote } from "./layout.ts";

/** The page of an invoice, to read and to pay it with another card, and the same as a PDF. */
export function invoiceRoutes(app: FastifyInstance, platform: Engine): void {
  app.get<ObjectRoute>("/sandbox/invoices/:id", (request, reply) => {
    const { invoice } = openInvoice(platform, request.params.id);
    return sendPage(reply, 200, invoicePage(invoice, null));
  });

  app.get<ObjectRoute>("/sandbox/invoices/:id/pdf", (request, reply) => {
    const { invoice } = openInvoice(platform, request.params.id);
    return reply
      .type("application/pdf")
      .header("content-disposition", `inline; filename="${invoice.number ?? invoice.id}.pdf"`)
      .send(invoicePdf(titleOf(invoice), pdfLines(invoice)));
  });

  app.post<ObjectRoute>("/sandbox/invoices/:id/pay", (request, reply) => {
    const { engine, invoice } = openInvoice(platform, request.params.id);
    return submit(
      request,
      (fields) => {
        const card = chosenCard(fields);
        engine.write(() => pay(engine, invoice, card));
        if (isProgram(request)) return reply.send({ status: "paid" });
        return reply.redirect(`/sandbox/invoices/${invoice.id}`, 303);
      },
      (error) => sendPage(reply, error.status, invoicePage(invoice, error.message)),
    );
  });
}

/** Pays an open invoice; later payments are charged to the same card. */
function pay(engine: Engine, invoice: Invoice, card: Card): void {
  if (invoice.status === "paid") return;
  if (invoice.status !== "open") throw invalidRequest(`This invoice is ${invoice.status}.`);
  if (card.onSession === "declined") throw cardDeclined(card.declineCode);
  const method = keepCard(engine, card, invoice.customer);
  chargeOnSession(engine, invoice, method);
  const subscription = subscriptionOf(engine, invoice);
  if (subscription === undefined || subscription.ended_at !== null) return;
  engine.records.save("subscription", { ...subscription, default_payment_method: method.id });
}

function openInvoice(platform: Engine, id: string): { readonly engine: Engine; readonly invoice: Invoice } {
  const { engine, record } = openObject(platform, "invoice", id);
  if (record.status === "draft") throw missing("invoice", id);
  return { engine, invoice: record };
}

function invoicePage(invoice: Invoice, problem: string | null): string {
  const { id, status } = invoice;
  return page(
    titleOf(invoice),
    html`<div class="card"><h1>${titleOf(invoice)}</h1>
<p>${addresseeOf(invoice)}</p>${problemNote(problem)}
<dl class="sums">${joined(rowsOf(invoice).map(([label, value]) => row(label, value)))}</dl>
${status === "open" ? payForm(invoice) : null}
<a class="back" href="/sandbox/invoices/${id}/pdf">PDF</a></div>`,
  );
}

function titleOf({ number }: Invoice): string {
  return `Invoice ${number ?? ""}`;
}

function addresseeOf({ customer_name: name, customer_email: email, created }: Invoice): string {
  return `For ${name ?? email ?? "the customer"}, ${day(created)}`;
}

/** Its lines and sums. */
function rowsOf({ currency, lines, total, ...invoice }: Invoice): InvoiceRow[] {
  const off = invoice.total_discount_amounts.reduce((sum, { amount }) => sum + amount, 0);
  const discount: InvoiceRow[] = off === 0 ? [] : [["Discount", `−${money(off, currency)}`]];
  return [
    ...lines.data.map(
      ({ period, amount }): InvoiceRow => [
        `${day(period.start)} to ${day(period.end)}`,
        money(amount, currency),
      ],
    ),
    ...discount,
    ["Total", money(total, currency)],
    ["Paid", money(invoice.amount_paid, currency)],
    ["Status", invoice.status ?? ""],
  ];
}

/** The same with a currency's code where its sign is not in the fonts of every PDF reader. */
function pdfLines(invoice: Invoice): InvoiceRow[] {
  const code = `${invoice.currency.toUpperCase()} `;
  const rows = rowsOf(invoice).map(
    ([label, value]): InvoiceRow => [label, value.replace("−", "-").replace(/[^\x20-\xff]+/g, code)],
  );
  return [[addresseeOf(invoice), ""], ...rows, ["No money moved: this is the payment sandbox.", ""]];
}

function row(label: string, value: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function payForm({ id, amount_remaining: due, currency }: Invoice): Html {
  return html`<form method="post" action="/sandbox/invoices/${id}/pay">${cardChoice("")}
<button>Pay ${money(due, currency)}</button></form>`;
}
