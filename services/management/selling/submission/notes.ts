import { chargingRule } from "#libs/domain/charging-rule.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { offerPath } from "../page/layout.ts";
import { billingNotice, endOf, isOver } from "./standing.ts";
import { type PaidVisit, priceOf, sessionPath } from "./visit.ts";

/** A note that the publisher has written, with its line breaks. */
export function quoted(title: string, note: string | null): Html | null {
  if (note === null) return null;
  return html`<div class="note bad"><h2 class="small">${title}</h2><blockquote>${note}</blockquote></div>`;
}

/** A note about the subscription, with a link to pay if that helps; null if all is well. */
export function billingNote(visit: PaidVisit, now: ProcessorTime): Html | null {
  const notice = billingNotice(visit, now);
  if (notice === null) return null;
  const pay = notice.canPay
    ? html`<p><a class="button" href="${sessionPath(visit, "/billing/pay")}">Pay now</a></p>`
    : null;
  return html`<div class="note ${notice.tone}"><p>${notice.sentence}</p>${pay}</div>`;
}

/** What was bought, with a link to the billing portal. */
export function subscriptionCard(visit: PaidVisit, now: ProcessorTime): Html {
  const { session, purchase, ad } = visit;
  const isRejected = ad?.status === "Rejected";
  const renews =
    (purchase.status === "Active" || purchase.status === "Trialing") &&
    !purchase.awaits_approval &&
    !purchase.cancel_at_period_end &&
    purchase.cancel_at === null
      ? purchase.current_period_end
      : null;
  const ends = endOf(purchase);
  return html`<section class="card" aria-labelledby="subscription"><h2 id="subscription">Subscription</h2>
<dl class="values"><div><dt>Placement</dt><dd>${session.tier_name}</dd></div>
<div><dt>Price</dt><dd>${formats.price(priceOf(visit))}</dd></div>
${renews === null ? null : html`<div><dt>${purchase.status === "Trialing" ? "First charge on" : "Renews on"}</dt><dd>${formats.day(renews)}</dd></div>`}
${ends === null ? null : html`<div><dt>${ends.getTime() > now ? "Ends on" : "Ended on"}</dt><dd>${formats.day(ends)}</dd></div>`}</dl>
${chargingNote(visit, now)}
<p><a class="button second" href="${sessionPath(visit, "/billing")}">Manage subscription</a></p>
<p class="hint">Card, invoices and cancellation. Opens the billing portal.</p>
<p class="hint">Bookmark this page – it's how you get back to your ad.${isRejected ? "" : " Anyone with the link can edit it."}</p>
${isOver(purchase, now) && !isRejected ? html`<p><a href="${offerPath(visit.publisher)}">Choose a new placement</a></p>` : null}</section>`;
}

/** When the advertiser is charged, until the publisher has approved the ad once; null for what is free. */
function chargingNote(visit: PaidVisit, now: ProcessorTime): Html | null {
  const { ad, purchase, publisher } = visit;
  const isUndecided = ad === undefined || ad.status === "Pending";
  if (!isUndecided || isOver(purchase, now) || priceOf(visit).amount === 0) return null;
  const hasTrial = purchase.trial_end !== null && purchase.charge_at === "purchase";
  const terms = { chargeAt: purchase.charge_at, hasTrial, workspace: publisher.name };
  return html`<p class="hint">${chargingRule(terms)}</p>`;
}
