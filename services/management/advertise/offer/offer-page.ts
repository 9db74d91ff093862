import { periodName } from "#libs/domain/period-words.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Audience } from "../../audience/audience.ts";
import { attribute } from "../page/attributes.ts";
import { offerPath, type PageContent } from "../page/layout.ts";
import { formats } from "../page/price-words.ts";
import type { Refusal } from "../page/refusal.ts";
import type { Publisher, TierOnSale } from "../queries.ts";
import { firstChoice, periodKey, periodsOf } from "./periods.ts";
import { type CardTerms, tierCard } from "./tier-card.ts";

export interface Offer {
  readonly publisher: Publisher;
  readonly tiers: readonly TierOnSale[];
  /** Null where the publisher does not show them. */
  readonly audience: Audience | null;
  readonly trialDays: number | null;
  /** The billing period that was asked for, as `periodKey` names it. */
  readonly period: string | null;
  /** Why buying was refused, if it was. */
  readonly refusal: Refusal | null;
}

/** What a publisher sells. */
export function offerPage(offer: Offer): PageContent {
  const { publisher, tiers, audience, refusal } = offer;
  const title = `Advertise on ${publisher.name}`;
  return {
    title: refusal === null ? title : `${refusal.title} – ${title}`,
    publisher,
    isPrivate: false,
    content: html`<h1>${title}</h1>
<p class="lead">Choose a placement, pay, and send your ad. It is reviewed before it runs.</p>
${refusal === null ? null : refusalNote(refusal)}
${audience === null ? null : figures(audience)}
${tiers.length === 0 ? NOTHING_ON_SALE : sale(offer)}
${tiers.length === 0 ? null : nextSteps(publisher)}`,
  };
}

const NOTHING_ON_SALE = html`<section class="card narrow"><h2>Nothing is on sale at the moment</h2><p>Come back later, or ask the publisher.</p></section>`;

function refusalNote({ title, problems }: Refusal): Html {
  const sentences = [...problems.formErrors, ...Object.values(problems.fieldErrors).flat()];
  return html`<div class="note bad" role="alert"><p><strong>${title}</strong></p>${sentences.map((one) => html`<p>${one}</p>`)}</div>`;
}

function figures({ days, impressions, clicks, visitors }: Audience): Html {
  const figure = (name: string, count: number) =>
    html`<div><dt>${name}</dt><dd>${formats.count(count)}</dd></div>`;
  return html`<section aria-labelledby="audience"><h2 id="audience" class="small">Ads here in the last ${String(days)} days</h2>
<dl class="figures">${[figure("Impressions", impressions), figure("Clicks", clicks), figure("Visitors", visitors)]}</dl></section>`;
}

function sale({ publisher, tiers, trialDays, period }: Offer): Html {
  const terms: CardTerms = {
    period,
    currency: publisher.currency,
    trialDays,
    action: offerPath(publisher),
  };
  return html`<section aria-label="Placements">
${periodPicker(publisher, tiers, terms)}
<ul class="tiers">
${tiers.map((tier) => tierCard(tier, terms))}
</ul>
</section>`;
}

/** Chooses the billing of all tiers at once: links, which the script follows without leaving the page. */
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
<li><strong>Pay</strong><span>On the payment service's own page. You can cancel at any time.</span></li>
<li><strong>Send your ad</strong><span>Name, address, texts and images, with a preview as you type.</span></li>
<li><strong>Review</strong><span>${name} looks at it. If something has to change, you are told what; if it is rejected, the subscription is canceled.</span></li>
<li><strong>On air</strong><span>Once it is approved it is shown, and you see its impressions and clicks day by day.</span></li>
</ol></section>`;
}
