import { type Html, html } from "#libs/html/index.ts";
import { periodEndOf } from "./due.ts";
import { itemOf } from "./new-subscription.ts";
import { page } from "./page-layout.ts";
import { cardChoice, day, joined, money, problemNote, rhythm } from "./page-parts.ts";
import type { Invoice, PaymentMethod, PortalSession, Subscription } from "./records.ts";

/** What the portal shows of a customer. */
export interface PortalView {
  readonly portal: PortalSession;
  readonly subscriptions: readonly Subscription[];
  readonly invoices: readonly Invoice[];
  readonly card: PaymentMethod | undefined;
  readonly problem: string | null;
}

const FEEDBACK = {
  too_expensive: "It is too expensive",
  unused: "I do not use it",
  missing_features: "Something is missing",
  low_quality: "It is not good enough",
  switched_service: "I use something else",
  too_complex: "It is too complicated",
  customer_service: "The service was poor",
  other: "Another reason",
} as const;

/** The customer's own page: subscriptions, card and invoices. */
export function portalPage(view: PortalView): string {
  const { portal, card } = view;
  const path = `/sandbox/portal/${portal.id}`;
  const back = portal.return_url;
  return page(
    "Your subscriptions",
    html`<div class="card"><h1>Your subscriptions</h1>${problemNote(view.problem)}
${view.subscriptions.length === 0 ? html`<p>There are none.</p>` : joined(view.subscriptions.map((one) => subscription(path, one)))}
</div>
<form class="card" method="post" action="${path}/card"><h2>Card</h2>
<p>${card === undefined ? "No card is kept." : `Your card ends on ${card.card?.last4 ?? ""}.`}</p>
${cardChoice(card?.card?.last4 ?? "")}<button>Change the card</button></form>
<div class="card"><h2>Invoices</h2>
${view.invoices.length === 0 ? html`<p>There are none.</p>` : html`<ul>${joined(view.invoices.map(invoice))}</ul>`}
${back === null ? null : html`<a class="back" href="${back}">Back</a>`}</div>`,
  );
}

function subscription(path: string, one: Subscription): Html {
  const { price } = itemOf(one);
  const amount = `${money(price.unit_amount ?? 0, price.currency)} ${rhythm(price)}`;
  const action = `${path}/subscriptions/${one.id}`;
  return html`<section><p><strong>${amount}</strong>, ${state(one)}</p>${
    one.status === "canceled" || one.status === "incomplete_expired"
      ? null
      : one.cancel_at_period_end
        ? html`<form method="post" action="${action}/keep"><button class="second">Keep it</button></form>`
        : cancelForm(action, one.id)
  }</section>`;
}

function state(one: Subscription): string {
  const end = day(periodEndOf(one));
  if (one.status === "canceled" || one.status === "incomplete_expired") return "ended";
  if (one.cancel_at_period_end) return `ends on ${end}`;
  return `${one.status.replaceAll("_", " ")}, until ${end}`;
}

function cancelForm(action: string, id: string): Html {
  const reasons = Object.entries(FEEDBACK).map(
    ([value, label]) => html`<option value="${value}">${label}</option>`,
  );
  return html`<details><summary>Cancel</summary><form method="post" action="${action}/cancel">
<label for="feedback-${id}">Why?</label><select id="feedback-${id}" name="feedback"><option value="">No answer</option>${joined(reasons)}</select>
<label for="comment-${id}">Anything else? <small>(optional)</small></label><input id="comment-${id}" name="comment" maxlength="500">
<button class="second">Cancel at the end of the period</button></form></details>`;
}

function invoice(one: Invoice): Html {
  const words = `${one.number ?? "Draft"}, ${day(one.created)}, ${money(one.total, one.currency)}, ${one.status}`;
  const address = one.hosted_invoice_url ?? null;
  return address === null ? html`<li>${words}</li>` : html`<li><a href="${address}">${words}</a></li>`;
}
