import { isCardSaved } from "#libs/domain/charging.ts";
import { chargingRule } from "#libs/domain/charging-rule.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { paidTimeOf } from "../../mail/outlook.ts";
import { offerPath } from "../page/layout.ts";
import { billingNotice, billingRow, endOf, isOver } from "./standing.ts";
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
  const { freeUntil, paidUntil, renews, ends } = datesOf(visit, now);
  const price = formats.price(priceOf(visit));
  return html`<section class="card" aria-labelledby="subscription"><h2 id="subscription">Subscription</h2>
<dl class="values">${[
    line("Placement", session.tier_name),
    line("Price", price),
    line("Free until", freeUntil === null ? null : `${formats.day(freeUntil)}, then ${price}`),
    line("Paid until", paidUntil === null ? null : formats.day(paidUntil)),
    line("Renews on", renews === null ? null : formats.day(renews)),
    line(
      ends !== null && ends.getTime() > now ? "Ends on" : "Ended on",
      ends === null ? null : formats.day(ends),
    ),
  ]}</dl>
${(freeUntil ?? paidUntil ?? renews ?? ends) === null ? null : html`<p class="hint">Dates are in UTC.</p>`}
${chargingNote(visit, now)}
<p><a class="button second" href="${sessionPath(visit, "/billing")}">Manage subscription</a></p>
<p class="hint">Card, invoices and cancellation. Opens the billing portal.</p>
<p class="hint">Bookmark this page – it's how you get back to your ad.${isRejected ? "" : " Anyone with the link can edit it."}</p>
${isOver(purchase, now) && !isRejected ? html`<p><a href="${offerPath(visit.publisher)}">Choose a new placement</a></p>` : null}</section>`;
}

/** The dates of a subscription. Nothing renews before the ad's approval, which `chargingNote` says: until then it is the time that was paid for. */
function datesOf(visit: PaidVisit, now: ProcessorTime) {
  const { purchase } = visit;
  const ends = endOf(purchase);
  const isRunning = ends === null && !purchase.awaits_approval;
  const freeUntil = isRunning && purchase.status === "Trialing" ? purchase.trial_end : null;
  const renews =
    isRunning && purchase.status === "Active" && !awaitsDecision(visit, now)
      ? purchase.current_period_end
      : null;
  const paid = ends === null ? paidTimeOf(billingRow(visit), now) : null;
  const paidUntil = typeof paid === "number" ? new Date(paid) : null;
  return { freeUntil, paidUntil, renews, ends };
}

/** A line of the subscription with its dates in UTC; nothing without a value. */
function line(name: string, value: string | null): Html {
  if (value === null) return html``;
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Whether charges depend on a first decision about the ad. */
function awaitsDecision(visit: PaidVisit, now: ProcessorTime): boolean {
  const { ad, purchase } = visit;
  const isUndecided = ad === undefined || ad.status === "Pending";
  return isUndecided && !isOver(purchase, now) && priceOf(visit).amount > 0;
}

/** When the advertiser is charged, until the publisher has approved the ad once; null for what is free. */
function chargingNote(visit: PaidVisit, now: ProcessorTime): Html | null {
  const { purchase, publisher } = visit;
  if (!awaitsDecision(visit, now)) return null;
  const { status, charge_at, awaits_approval: awaitsApproval } = purchase;
  // Unless the card is only saved, the first period was charged.
  const chargeAt = isCardSaved({ status, chargeAt: charge_at, awaitsApproval }) ? "approval" : "purchase";
  const hasTrial = purchase.trial_end !== null && charge_at === "purchase";
  const terms = { chargeAt, hasTrial, workspace: publisher.name, isBought: true } as const;
  return html`<p class="hint">${chargingRule(terms)}</p>`;
}
