import { type Html, html } from "#libs/html/index.ts";
import { CARDS } from "../engine/cards.ts";
import type { Engine } from "../engine/engine.ts";
import { processDue } from "../engine/process-due.ts";
import { BUILT_IN_CODES } from "../engine/promotions.ts";
import type { Charge, Dispute } from "../engine/records.ts";
import { AFTER_RETRIES } from "../engine/state.ts";
import { day, joined, money, page } from "./layout.ts";

const SHOWN = 20;

/** The operator's page: the clock, what happens after failed payments, the platform's latest charges, cards and codes. */
export function operatorPage(engine: Engine): string {
  processDue(engine);
  const { records, state } = engine;
  const charges = records.list("charge", { where: { paid: true }, limit: SHOWN });
  const disputes = records.list("dispute", {
    where: { status: ["needs_response", "warning_needs_response"] },
    limit: SHOWN,
  });
  return page(
    "Payment sandbox",
    html`<div class="card"><h1>Payment sandbox</h1><p>It is ${new Date(engine.now() * 1000).toISOString()} here.</p>
<form method="post" action="/sandbox/clock/advance"><label for="days">Advance the clock by days</label>
<input id="days" name="days" inputmode="numeric" pattern="[0-9]+" value="31" required><button>Advance</button></form>
<form method="post" action="/sandbox/settings"><label for="afterRetries">When the last retry of a payment fails</label>
<select id="afterRetries" name="afterRetries">${joined(AFTER_RETRIES.map((end) => endOption(end, state.afterRetries())))}</select>
<button class="second">Save</button></form></div>
<div class="card"><h2>Latest charges</h2>${charges.length === 0 ? html`<p>No charges.</p>` : joined(charges.map((charge) => chargeRow(charge, payerOf(engine, charge))))}
${joined(disputes.map(disputeRow))}</div>
<div class="card"><h2>Cards</h2><ul>${joined(CARDS.map(({ last4, label }) => html`<li><code>${last4}</code> ${label}</li>`))}</ul>
<h2>Promotion codes</h2><ul>${joined(BUILT_IN_CODES.map(({ code, name }) => html`<li><code>${code}</code> ${name ?? ""}</li>`))}</ul></div>`,
  );
}

function endOption(end: (typeof AFTER_RETRIES)[number], chosen: string): Html {
  const labels = {
    cancel: "cancel the subscription",
    unpaid: "mark it as unpaid",
    past_due: "leave it past due",
  };
  return html`<option value="${end}"${end === chosen ? html` selected` : null}>${labels[end]}</option>`;
}

/** Who paid: by name, or else by email address. */
function payerOf({ records }: Engine, { customer }: Charge): string {
  const payer = records.get("customer", customer);
  return payer?.name ?? payer?.email ?? customer;
}

function chargeRow(charge: Charge, payer: string): Html {
  const { id, amount, amount_refunded: refunded, currency, created } = charge;
  const back = refunded === 0 ? "" : `, ${money(refunded, currency)} refunded`;
  const label = `${payer}: ${money(amount, currency)}, ${day(created)}${back}${charge.disputed ? ", disputed" : ""}`;
  const actions = html`<form class="row" method="post" action="/sandbox/charges/${id}/refund">
<button class="second" aria-label="Refund ${label}">Refund</button>
<button class="second" formaction="/sandbox/charges/${id}/dispute" aria-label="Dispute ${label}">Dispute</button></form>`;
  return html`<section><p>${label} <small>${id}</small></p>${charge.refunded || charge.disputed ? null : actions}</section>`;
}

function disputeRow({ id, amount, currency }: Dispute): Html {
  const label = `the dispute of ${money(amount, currency)}`;
  return html`<form class="row" method="post" action="/sandbox/disputes/${id}/close"><p>Dispute of ${money(amount, currency)}</p>
<button class="second" name="outcome" value="won" aria-label="Win ${label}">Win</button>
<button class="second" name="outcome" value="lost" aria-label="Lose ${label}">Lose</button></form>`;
}
