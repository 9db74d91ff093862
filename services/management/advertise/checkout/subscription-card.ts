import { type Html, html } from "#libs/html/index.ts";
import { offerPath } from "../page/layout.ts";
import { formats, priceWords } from "../page/price-words.ts";
import { hasEndedNow, type PaidVisit, standingFacts } from "./facts.ts";
import { billingNotice } from "./standing.ts";
import { priceOf, sessionPath } from "./visit.ts";

/** What is to be said of the subscription, with the way to pay; null while all is well. */
export function billingNote(visit: PaidVisit, now: number): Html | null {
  const notice = billingNotice(standingFacts(visit, now));
  if (notice === null) return null;
  const pay = notice.canPay
    ? html`<p><a class="button" href="${sessionPath(visit, "/billing")}">Pay now</a></p>`
    : null;
  return html`<div class="note ${notice.tone}"><p>${notice.sentence}</p>${pay}</div>`;
}

/** What was bought, and where it is managed. */
export function subscriptionCard(visit: PaidVisit, now: number): Html {
  const { session, purchase } = visit;
  const renews =
    (purchase.status === "Active" || purchase.status === "Trialing") &&
    !purchase.cancel_at_period_end &&
    purchase.cancel_at === null
      ? purchase.current_period_end
      : null;
  return html`<section class="card" aria-labelledby="subscription"><h2 id="subscription">Subscription</h2>
<dl class="values"><div><dt>Placement</dt><dd>${session.tier_name}</dd></div>
<div><dt>Price</dt><dd>${priceWords(priceOf(visit))}</dd></div>
${renews === null ? null : html`<div><dt>${purchase.status === "Trialing" ? "First charge on" : "Renews on"}</dt><dd>${formats.day(renews)}</dd></div>`}</dl>
<p><a class="button second" href="${sessionPath(visit, "/billing")}">Manage subscription</a></p>
<p class="hint">Card, invoices and cancellation, on the payment service's own pages.</p>
<p class="hint">Keep the address of this page: it is the way back to your ad. Whoever has it can change the ad.</p>
${hasEndedNow(visit, now) && visit.ad?.status !== "Rejected" ? html`<p><a href="${offerPath(visit.publisher)}">Choose a new placement</a></p>` : null}</section>`;
}
