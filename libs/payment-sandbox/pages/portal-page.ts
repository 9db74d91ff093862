import { type Html, html } from "#libs/html/index.ts";
import { itemOf } from "../engine/periods.ts";
import type { Invoice, PaymentMethod, PortalSession, Subscription } from "../engine/records.ts";
import { hasEnded, isCanceling } from "../engine/subscriptions.ts";
import { cardChoice, day, joined, money, page, problemNote, rhythm } from "./layout.ts";

/** The content of the portal for one customer. */
export interface PortalView {
  readonly portal: PortalSession;
  readonly subscriptions: readonly Subscription[];
  readonly invoices: readonly Invoice[];
  readonly card: PaymentMethod | undefined;
  readonly problem: string | null;
}

const FEEDBACK = {
  too_expensive: "It's too expensive",
  unused: "I don't use it",
  missing_features: "I need more features",
  low_quality: "The quality is too low",
  switched_service: "I'm switching to another service",
  too_complex: "It's too complicated",
  customer_service: "Customer service was poor",
  other: "Another reason",
} as const;

/** The customer's own page: subscriptions, card and invoices. */
export function portalPage({ portal, subscriptions, invoices, card, problem }: PortalView): string {
  const path = `/sandbox/portal/${portal.id}`;
  const back = portal.return_url;
  return page(
    "Your subscriptions",
    html`<div class="card"><h1>Your subscriptions</h1>${problemNote(problem)}
${subscriptions.length === 0 ? html`<p>No subscriptions.</p>` : joined(subscriptions.map((one) => subscription(path, one)))}
</div>
<form class="card" method="post" action="${path}/card"><h2>Card</h2>
<p>${card === undefined ? "No card on file." : `Card ending in ${card.card.last4}`}</p>
${cardChoice(card?.card.last4 ?? "")}<button>Change card</button></form>
<div class="card"><h2>Invoices</h2>
${invoices.length === 0 ? html`<p>No invoices.</p>` : html`<ul>${joined(invoices.map(invoice))}</ul>`}
${back === null ? null : html`<a class="back" href="${back}">Back</a>`}</div>`,
  );
}

function subscription(path: string, one: Subscription): Html {
  const { price } = itemOf(one);
  const amount = `${money(price.unit_amount, price.currency)} ${rhythm(price)}`;
  const action = `${path}/subscriptions/${one.id}`;
  const resume = html`<form method="post" action="${action}/keep"><button class="second">Resume subscription</button></form>`;
  const change = isCanceling(one) ? resume : cancelForm(action, one.id);
  return html`<section><p><strong>${amount}</strong>, ${statusOf(one)}</p>${hasEnded(one) ? null : change}</section>`;
}

function statusOf(one: Subscription): string {
  const end = day(one.cancel_at ?? itemOf(one).current_period_end);
  if (hasEnded(one)) return "ended";
  if (isCanceling(one)) return `ends ${end}`;
  return `${one.status.replaceAll("_", " ")}, renews ${end}`;
}

function cancelForm(action: string, id: string): Html {
  const reasons = Object.entries(FEEDBACK).map(
    ([value, label]) => html`<option value="${value}">${label}</option>`,
  );
  return html`<details><summary>Cancel</summary><form method="post" action="${action}/cancel">
<label for="feedback-${id}">Why are you canceling?</label><select id="feedback-${id}" name="feedback"><option value="">No answer</option>${joined(reasons)}</select>
<label for="comment-${id}">Anything else? <small>(optional)</small></label><input id="comment-${id}" name="comment" maxlength="500">
<button class="second">Cancel at the end of the period</button></form></details>`;
}

function invoice(one: Invoice): Html {
  const words = `${one.number ?? "Draft"}, ${day(one.created)}, ${money(one.total, one.currency)}, ${one.status}`;
  const address = one.hosted_invoice_url;
  return address === null ? html`<li>${words}</li>` : html`<li><a href="${address}">${words}</a></li>`;
}
