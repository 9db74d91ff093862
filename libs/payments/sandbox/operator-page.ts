import { type Html, html } from "#libs/html/index.ts";
import { CARDS } from "./cards.ts";
import { page } from "./page-layout.ts";
import { day, joined, money } from "./page-parts.ts";
import { STANDING_CODES } from "./promotion-codes.ts";
import type { Charge, Dispute } from "./records.ts";
import { AFTER_RETRIES } from "./state.ts";
import type { World } from "./world.ts";

const SHOWN = 20;

/** The operator's page: the clock, what happens after failed payments, and the platform's latest charges. */
export function operatorPage(world: World): string {
  const charges = world.records.list("charge", { where: { paid: true }, limit: SHOWN });
  const disputes = world.records.list("dispute", { where: { status: ["needs_response"] }, limit: SHOWN });
  return page(
    "Payment sandbox",
    html`<div class="card"><h1>Payment sandbox</h1><p>It is ${new Date(world.now() * 1000).toISOString()} here.</p>
<form method="post" action="/sandbox/clock/advance"><label for="days">Move the clock on by days</label>
<input id="days" name="days" inputmode="numeric" pattern="[0-9]+" value="31" required><button>Move on</button></form>
<form method="post" action="/sandbox/settings"><label for="afterRetries">When the last attempt at a payment fails</label>
<select id="afterRetries" name="afterRetries">${joined(AFTER_RETRIES.map((end) => endOption(end, world.state.afterRetries())))}</select>
<button class="second">Save</button></form></div>
<div class="card"><h2>Latest charges</h2>${charges.length === 0 ? html`<p>There are none.</p>` : joined(charges.map(chargeRow))}
${joined(disputes.map(disputeRow))}</div>
<div class="card"><h2>Cards</h2><ul>${joined(CARDS.map(({ last4, label }) => html`<li><code>${last4}</code> ${label}</li>`))}</ul>
<h2>Promotion codes</h2><ul>${joined(STANDING_CODES.map(({ code, coupon }) => html`<li><code>${code}</code> ${coupon.name ?? ""}</li>`))}</ul></div>`,
  );
}

function endOption(end: (typeof AFTER_RETRIES)[number], chosen: string): Html {
  const labels = {
    cancel: "the subscription is canceled",
    unpaid: "it becomes unpaid",
    past_due: "it stays past due",
  };
  return html`<option value="${end}"${end === chosen ? html` selected` : null}>${labels[end]}</option>`;
}

function chargeRow(charge: Charge): Html {
  const { id, amount, amount_refunded: refunded, currency, created } = charge;
  const back = refunded === 0 ? "" : `, ${money(refunded, currency)} given back`;
  const label = `${money(amount, currency)}, ${day(created)}${back}${charge.disputed ? ", disputed" : ""}`;
  const settled = charge.refunded || charge.disputed;
  return html`<section><p>${label} <small>${id}</small></p>${
    settled
      ? null
      : html`<form class="row" method="post" action="/sandbox/charges/${id}/refund">
<button class="second" aria-label="Refund ${label}">Refund</button>
<button class="second" formaction="/sandbox/charges/${id}/dispute" aria-label="Dispute ${label}">Dispute</button></form>`
  }</section>`;
}

function disputeRow({ id, amount, currency }: Dispute): Html {
  const label = `the dispute of ${money(amount, currency)}`;
  return html`<form class="row" method="post" action="/sandbox/disputes/${id}/close"><p>Dispute of ${money(amount, currency)}</p>
<button class="second" name="outcome" value="won" aria-label="Win ${label}">Win</button>
<button class="second" name="outcome" value="lost" aria-label="Lose ${label}">Lose</button></form>`;
}
