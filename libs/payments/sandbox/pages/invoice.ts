import type { FastifyInstance } from "fastify";
import { type Html, html } from "#libs/html/index.ts";
import { cardDeclined, invalidRequest, missing } from "../engine/api-error.ts";
import type { Card } from "../engine/cards.ts";
import type { Engine } from "../engine/engine.ts";
import { keepCard } from "../engine/payments.ts";
import type { Invoice } from "../engine/records.ts";
import { chargeOnSession, subscriptionOf } from "../engine/subscriptions.ts";
import { chosenCard, isProgram, type ObjectRoute, openObject, sendPage, submit } from "./forms.ts";
import { cardChoice, day, joined, money, page, problemNote } from "./layout.ts";

/** The pages of an invoice: to read, to print, and to pay it with another card. */
export function invoiceRoutes(app: FastifyInstance, platform: Engine): void {
  for (const [path, forPrinting] of [
    ["", false],
    ["/pdf", true],
  ] as const) {
    app.get<ObjectRoute>(`/sandbox/invoices/:id${path}`, (request, reply) => {
      const { invoice } = openInvoice(platform, request.params.id);
      return sendPage(reply, 200, invoicePage(invoice, forPrinting, null));
    });
  }

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
      (error) => sendPage(reply, error.status, invoicePage(invoice, false, error.message)),
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

function invoicePage(invoice: Invoice, forPrinting: boolean, problem: string | null): string {
  const { currency, id, number, status } = invoice;
  const off = invoice.total_discount_amounts.reduce((sum, { amount }) => sum + amount, 0);
  return page(
    `Invoice ${number ?? ""}`,
    html`<div class="card"><h1>Invoice ${number ?? ""}</h1>
<p>For ${invoice.customer_name ?? invoice.customer_email ?? "the customer"}, ${day(invoice.created)}</p>${problemNote(problem)}
<dl class="sums">${joined(invoice.lines.data.map((line) => lineRow(line, currency)))}
${off === 0 ? null : row("Discount", `−${money(off, currency)}`)}
${row("Total", money(invoice.total, currency))}${row("Paid", money(invoice.amount_paid, currency))}
${row("Status", status ?? "")}</dl>
${status !== "open" || forPrinting ? null : payForm(invoice)}
${forPrinting ? null : html`<a class="back" href="/sandbox/invoices/${id}/pdf">Print version</a>`}</div>`,
  );
}

function lineRow(line: Invoice["lines"]["data"][number], currency: string): Html {
  return row(`${day(line.period.start)} to ${day(line.period.end)}`, money(line.amount, currency));
}

function row(label: string, value: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function payForm({ id, amount_remaining: due, currency }: Invoice): Html {
  return html`<form method="post" action="/sandbox/invoices/${id}/pay">${cardChoice("")}
<button>Pay ${money(due, currency)}</button></form>`;
}
