import { hash } from "node:crypto";
import { formatMoney } from "#libs/domain/money.ts";
import { Html, html } from "#libs/html/index.ts";
import { CARDS } from "../engine/cards.ts";
import type { Price } from "../engine/records.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f4f5f7, #16181d); color: light-dark(#1b1f27, #e8eaee); }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
.sandbox { margin: 0; padding: .75rem 1rem; text-align: center; background: #7a4b00; color: #fff; }
.card { margin-bottom: 1rem; padding: 1.5rem; border-radius: .75rem; background: light-dark(#fff, #20242c); border: 1px solid light-dark(#d9dce3, #363c48); }
h1 { font-size: 1.25rem; margin: 0; }
h2 { font-size: 1.05rem; margin: 1rem 0 0; }
.card > h2:first-child { margin-top: 0; }
.price { font-size: 2rem; font-weight: 650; margin: .25rem 0 1.25rem; }
.price small { font-size: 1rem; font-weight: 400; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input, select { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .7rem; border-radius: .5rem; border: 1px solid light-dark(#767d8c, #8b93a3); background: light-dark(#fff, #20242c); color: inherit; }
button { width: 100%; margin-top: 1rem; padding: .7rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid transparent; cursor: pointer; background: #1f5fd0; color: #fff; }
button.second { background: transparent; color: inherit; border-color: light-dark(#767d8c, #8b93a3); }
:focus-visible { outline: 3px solid #5b9bff; outline-offset: 2px; }
a { color: light-dark(#1a56c4, #8db8ff); }
.error { margin: 1rem 0 0; padding: .75rem 1rem; border-radius: .5rem; background: light-dark(#fde8e8, #4a1c1c); color: light-dark(#8c1414, #ffc9c9); }
.default { position: absolute; width: 1px; height: 1px; margin: 0; padding: 0; overflow: hidden; clip-path: inset(50%); }
.row { display: flex; gap: .5rem; align-items: center; }
.row > * { margin-top: 0; }
.row button { width: auto; flex: 0 0 auto; }
.row input, .row p { flex: 1; min-width: 0; }
.sums { margin: 0; }
.sums div { display: flex; justify-content: space-between; gap: 1rem; }
.sums dd { margin: 0; text-align: right; white-space: nowrap; }
section small, code { overflow-wrap: anywhere; }
summary { cursor: pointer; }
.back { display: inline-block; margin-top: 1.25rem; }
ul { padding-left: 1.2rem; }
`;

const STYLE_HASH = hash("sha256", STYLE, "base64");

/** A page of the sandbox. It begins by saying that no money moves. */
export function page(title: string, content: Html): string {
  const { source } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<aside class="sandbox" aria-label="Sandbox"><strong>Sandbox.</strong> This is a test environment: no real card is needed and no money moves.</aside>
<main>
${content}
</main>
</body>
</html>
`;
  return source;
}

/** Allows a page its own style and forms. `formTargets`: the origins that a form's redirect may lead to. */
export function contentSecurityPolicy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self' ${formTargets.join(" ")}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A page with a message, and a link where to continue. */
export function notice(title: string, words: string, next: string | null): string {
  const link = next === null ? null : html`<a class="back" href="${next}">Continue</a>`;
  return page(title, html`<div class="card"><h1>${title}</h1><p>${words}</p>${link}</div>`);
}

/** An error message, announced by screen readers. */
export function problemNote(words: string | null): Html | null {
  return words === null ? null : html`<p class="error" role="alert" id="problem">${words}</p>`;
}

/** The choice of a test card, in place of a card form. */
export function cardChoice(chosen: string): Html {
  const options = CARDS.map(({ last4, brand, label }) => {
    const selected = last4 === chosen ? html` selected` : null;
    return html`<option value="${last4}"${selected}>${brandName(brand)} •••• ${last4}: ${label}</option>`;
  });
  return html`<label for="card">Card</label><select id="card" name="card">${joined(options)}</select>`;
}

function brandName(brand: string): string {
  return brand === "visa" ? "Visa" : "Mastercard";
}

/** Pieces one after the other. */
export function joined(parts: readonly Html[]): Html {
  return parts.reduce((all, part) => html`${all}${part}`, html``);
}

/** An amount in the smallest unit, formatted for people. */
export function money(amount: number, currency: string): string {
  return formatMoney(amount, currency, "en");
}

/** How often a price is paid. */
export function rhythm({ recurring: { interval, interval_count: count } }: Price): string {
  return count === 1 ? `per ${interval}` : `every ${count} ${interval}s`;
}

/** The day of a time in seconds, formatted for people. */
export function day(seconds: number): string {
  const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
  return format.format(new Date(seconds * 1000));
}
