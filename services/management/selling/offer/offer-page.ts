import type { Field } from "#libs/contract/fields.ts";
import { chargingRule } from "#libs/domain/charging-rule.ts";
import { periodName } from "#libs/domain/period-words.ts";
import { periodKey, periodsOf } from "#libs/domain/price-choice.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { lostLink } from "../lost-link/link-form.ts";
import { attribute, offerPath, type PageContent } from "../page/layout.ts";
import { firstChoice } from "../page/prices.ts";
import { type Refusal, sentencesOf } from "../page/refusal.ts";
import type { Publisher, TierOnSale } from "../queries.ts";
import type { Audience } from "./audience.ts";
import { type CardTerms, tierCard } from "./tier-card.ts";
import { whatToSubmit } from "./what-to-submit.ts";

interface Offer {
  readonly publisher: Publisher;
  readonly tiers: readonly TierOnSale[];
  /** What advertisers fill in. */
  readonly fields: readonly Field[];
  readonly publicUrl: URL;
  /** Null if the publisher does not show it. */
  readonly audience: Audience | null;
  readonly trialDays: number | null;
  /** The requested billing period, as `periodKey` names it. */
  readonly period: string | null;
  /** Why the purchase was refused, if it was. */
  readonly refusal: Refusal | null;
}

/** The page with a publisher's placements for sale. */
export function offerPage(offer: Offer): PageContent {
  const { publisher, tiers, audience, refusal } = offer;
  const title = `Advertise on ${publisher.name}`;
  return {
    title: refusal === null ? title : `${refusal.title} – ${title}`,
    publisher,
    isPrivate: false,
    content: html`<h1>${title}</h1>
<p class="lead">Choose a placement, pay and submit your ad. We review every ad before it goes live.</p>
${rule(offer)}
${refusal === null ? null : refusalNote(refusal)}
${audience === null ? null : audienceStats(audience)}
${tiers.length === 0 ? NOTHING_ON_SALE : sale(offer)}
${tiers.length === 0 ? null : whatToSubmit(offer.fields, offer.publicUrl)}
${tiers.length === 0 ? null : nextSteps(publisher)}
${lostLink(publisher)}`,
  };
}

/** When advertisers are charged; null where everything is free. */
function rule({ publisher, tiers, trialDays }: Offer): Html | null {
  if (tiers.every(({ prices }) => prices.every(({ amount }) => amount === 0))) return null;
  const terms = { chargeAt: publisher.charge_at, hasTrial: trialDays !== null, workspace: publisher.name };
  return html`<p class="terms">${chargingRule(terms)}</p>`;
}

const NOTHING_ON_SALE = html`<section class="card narrow"><h2>Nothing for sale right now</h2><p>Check back later, or contact the publisher.</p></section>`;

function refusalNote(refusal: Refusal): Html {
  const sentences = sentencesOf(refusal).map((one) => html`<p>${one}</p>`);
  return html`<div class="note bad" role="alert"><p><strong>${refusal.title}</strong></p>${sentences}</div>`;
}

function audienceStats({ days, impressions, clicks, visitors }: Audience): Html {
  const figure = (name: string, count: number) =>
    html`<div><dt>${name}</dt><dd>${formats.count(count)}</dd></div>`;
  return html`<section aria-labelledby="audience"><h2 id="audience" class="small">Ad performance, last ${String(days)} days</h2>
<dl class="stats">${[figure("Impressions", impressions), figure("Clicks", clicks), figure("Visitors", visitors)]}</dl></section>`;
}

function sale({ publisher, tiers, trialDays, period }: Offer): Html {
  const { currency } = publisher;
  const terms: CardTerms = { period, currency, trialDays, action: offerPath(publisher) };
  return html`<section aria-label="Placements">
${periodPicker(publisher, tiers, terms)}
<ul class="tiers">
${tiers.map((tier) => tierCard(tier, terms))}
</ul>
</section>`;
}

/** Chooses the billing period of all tiers at once: links, which the script applies without leaving the page. */
function periodPicker(publisher: Publisher, tiers: readonly TierOnSale[], terms: CardTerms): Html | null {
  const periods = periodsOf(tiers.flatMap(({ prices }) => prices));
  const hasChoice = tiers.some(({ prices }) => prices.length > 1);
  if (periods.length < 2 || !hasChoice) return null;
  const chosen = new Set(tiers.map(({ prices }) => periodKey(firstChoice(prices, terms))));
  const links = periods.map((price) => {
    const key = periodKey(price);
    const isCurrent = terms.period === key || (terms.period === null && chosen.size === 1 && chosen.has(key));
    return html`<a href="${offerPath(publisher)}?billing=${key}" data-period="${key}"${attribute("aria-current", isCurrent ? "true" : null)}>${periodName(price)}</a>`;
  });
  return html`<nav class="periods" aria-label="Billing" data-periods>${links}</nav>`;
}

function nextSteps({ name }: Publisher): Html {
  return html`<section aria-labelledby="next"><h2 id="next">What happens next</h2>
<ol class="steps">
<li><strong>Pay</strong><span>Secure checkout by Stripe. You can cancel anytime.</span></li>
<li><strong>Submit your ad</strong><span>Name, website, text and images, with a preview as you type.</span></li>
<li><strong>Review</strong><span>${name} reviews your ad and may request changes. If it's rejected, your subscription is canceled.</span></li>
<li><strong>Go live</strong><span>Your ad goes live as soon as it's approved, and you can follow its impressions and clicks day by day.</span></li>
</ol></section>`;
}
