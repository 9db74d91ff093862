import type { Field } from "#libs/contract/fields.ts";
import { chargingRule } from "#libs/domain/charging-rule.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import { periodName } from "#libs/domain/period-words.ts";
import { firstChoice, periodKey, periodsOf } from "#libs/domain/price-choice.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { PAGE_FIELD_TYPES, upTo } from "../field-types.ts";
import { lostLink } from "../lost-link/link-form.ts";
import { attribute, offerPath, type PageContent } from "../page/layout.ts";
import { type Refusal, sentencesOf } from "../page/refusal.ts";
import type { Publisher, TierOnSale } from "../queries.ts";
import type { Audience } from "./audience.ts";
import { draftSection } from "./draft-form.ts";
import { kitAudience, kitHead, kitQuestions } from "./media-kit.ts";
import { type CardTerms, foldedTier, tierCard } from "./tier-card.ts";

interface Offer {
  readonly publisher: Publisher;
  readonly tiers: readonly TierOnSale[];
  /** What advertisers fill in. */
  readonly fields: readonly Field[];
  readonly publicUrl: URL;
  readonly uploads: Pick<Uploads, "locate" | "maxBytes">;
  readonly kit: MediaKit;
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
  const { publisher, tiers, fields, publicUrl, uploads, kit, audience, refusal } = offer;
  const title = `Advertise on ${publisher.name}`;
  return {
    title: refusal === null ? title : `${refusal.title} – ${title}`,
    publisher,
    isPrivate: false,
    content: html`${kitHead(title, kit, uploads)}
${rule(offer)}
${refusal === null ? null : refusalNote(refusal)}
${kitAudience(kit, audience)}
${tiers.length === 0 ? NOTHING_ON_SALE : sale(offer)}
${tiers.length === 0 ? null : draftSection({ workspaceId: publisher.id, fields, publicUrl, maxBytes: uploads.maxBytes })}
${tiers.length === 0 ? null : whatToSubmit(fields)}
${tiers.length === 0 ? null : nextSteps(publisher)}
${kitQuestions(kit)}
${lostLink(publisher)}`,
  };
}

/** When advertisers are charged; null where everything is free. */
function rule({ publisher, tiers, trialDays }: Offer): Html | null {
  if (tiers.every(({ prices }) => prices.every(({ amount }) => amount === 0))) return null;
  const terms = {
    chargeAt: publisher.charge_at,
    hasTrial: trialDays !== null,
    workspace: publisher.name,
    isBought: false,
  };
  return html`<p class="terms">${chargingRule(terms)}</p>`;
}

const NOTHING_ON_SALE = html`<section class="card narrow"><h2>Nothing for sale right now</h2><p>Check back later, or contact the publisher.</p></section>`;

function refusalNote(refusal: Refusal): Html {
  const sentences = sentencesOf(refusal).map((one) => html`<p>${one}</p>`);
  return html`<div class="note bad" role="alert"><p><strong>${refusal.title}</strong></p>${sentences}</div>`;
}

/** This many cards or more are folded: open ones would take many screens. */
const MANY_TIERS = 7;

function sale({ publisher, tiers, trialDays, period }: Offer): Html {
  const { currency } = publisher;
  const terms: CardTerms = { period, currency, trialDays, action: offerPath(publisher) };
  // Once for all: a tier may have hundreds of prices.
  const choices = tiers.map((tier) => ({ tier, chosen: firstChoice(tier.prices, terms) }));
  return html`<section id="placements" aria-labelledby="placements-title"><div class="headline"><h2 id="placements-title">Placements</h2>
${periodPicker(publisher, choices, terms)}<a href="#your-ad">See your ad before you pay</a></div>
<ul class="tiers">
${choices.map(({ tier, chosen }) => (tiers.length < MANY_TIERS ? tierCard(tier, chosen, terms) : foldedTier(tier, chosen, terms)))}
</ul>
</section>`;
}

/** A tier with the price that is selected at first. */
interface Choice {
  readonly tier: TierOnSale;
  readonly chosen: TierOnSale["prices"][number];
}

/** Chooses the billing period of all tiers at once: links, which the script applies without leaving the page. */
function periodPicker(publisher: Publisher, choices: readonly Choice[], terms: CardTerms): Html | null {
  const periods = periodsOf(choices.flatMap(({ tier }) => tier.prices));
  const hasChoice = choices.some(({ tier }) => tier.prices.length > 1);
  if (periods.length < 2 || !hasChoice) return null;
  const chosen = new Set(choices.map((choice) => periodKey(choice.chosen)));
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
<li><strong>Review</strong><span>${name} reviews your ad and emails you the decision, or asks for changes.</span></li>
<li><strong>Go live</strong><span>Your ad goes live once it's approved. You see its impressions and clicks day by day.</span></li>
</ol></section>`;
}

/** What an advertiser has to submit for an ad, before paying. */
function whatToSubmit(fields: readonly Field[]): Html {
  return html`<section class="card" aria-labelledby="what"><h2 id="what">What you submit</h2>
<p class="hint">You'll fill this in after paying.</p>
<dl class="values">
${part("Name", true, upTo(LONGEST.name))}
${part("Website", true, "The page people land on when they click.")}
${fields.map((field) => part(field.name, field.isRequired, PAGE_FIELD_TYPES[field.type].words(field)))}
</dl></section>`;
}

function part(name: string, isRequired: boolean, words: string): Html {
  return html`<div><dt>${name}</dt><dd><strong>${isRequired ? "Required" : "Optional"}</strong>${words === "" ? "" : ` · ${words}`}</dd></div>`;
}
