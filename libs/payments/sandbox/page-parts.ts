import { formatMoney } from "#libs/domain/money.ts";
import { type Html, html } from "#libs/html/index.ts";
import { CARDS } from "./cards.ts";
import { page } from "./page-layout.ts";
import type { Price } from "./records.ts";

/** A page that only says something, with a way on where there is one. */
export function notice(title: string, words: string, next: string | null): string {
  const link = next === null ? null : html`<a class="back" href="${next}">Continue</a>`;
  return page(title, html`<div class="card"><h1>${title}</h1><p>${words}</p>${link}</div>`);
}

/** What went wrong, read out by screen readers. */
export function problemNote(words: string | null): Html | null {
  return words === null ? null : html`<p class="error" role="alert" id="problem">${words}</p>`;
}

/** The choice of a card; the page is asked for none of a real one's details. */
export function cardChoice(chosen: string): Html {
  const options = CARDS.map(({ last4, brand, label }) => {
    const selected = last4 === chosen ? html` selected` : null;
    return html`<option value="${last4}"${selected}>${brand} •••• ${last4}: ${label}</option>`;
  });
  return html`<label for="card">Card</label><select id="card" name="card">${joined(options)}</select>`;
}

/** Pieces one after the other. */
export function joined(parts: readonly Html[]): Html {
  return parts.reduce((all, part) => html`${all}${part}`, html``);
}

/** An amount in the smallest unit as people write it. */
export function money(amount: number, currency: string): string {
  return formatMoney(amount, currency, "en");
}

/** How often a price is paid. */
export function rhythm(price: Price): string {
  const interval = price.recurring?.interval ?? "month";
  const count = price.recurring?.interval_count ?? 1;
  return count === 1 ? `a ${interval}` : `every ${count} ${interval}s`;
}

/** A day as people write it, of a time in seconds. */
export function day(seconds: number): string {
  const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
  return format.format(new Date(seconds * 1000));
}
