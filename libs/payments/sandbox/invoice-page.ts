import { type Html, html } from "#libs/html/index.ts";
import { page } from "./page-layout.ts";
import { cardChoice, day, joined, money, problemNote } from "./page-parts.ts";
import type { Invoice } from "./records.ts";

/** An invoice for its customer; an open one can be paid there, unless the page is for the file. */
export function invoicePage(invoice: Invoice, forFile: boolean, problem: string | null): string {
  const { currency, status } = invoice;
  const off = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return page(
    `Invoice ${invoice.number ?? ""}`,
    html`<div class="card"><h1>Invoice ${invoice.number ?? ""}</h1>
<p>For ${invoice.customer_name ?? invoice.customer_email ?? "the customer"}, of ${day(invoice.created)}</p>${problemNote(problem)}
<dl class="sums">${joined(invoice.lines.data.map((line) => lineRow(line, currency)))}
${off === 0 ? null : row("Discount", `−${money(off, currency)}`)}
${row("Total", money(invoice.total, currency))}${row("Paid", money(invoice.amount_paid, currency))}
${row("Status", status ?? "")}</dl>
${status !== "open" || forFile ? null : payForm(invoice)}
${forFile ? null : html`<a class="back" href="/sandbox/invoices/${invoice.id}/pdf">For printing</a>`}</div>`,
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
