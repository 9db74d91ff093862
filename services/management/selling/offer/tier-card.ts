import { everyPeriod } from "#libs/domain/period-words.ts";
import { byPeriod, periodKey, savingsOf } from "#libs/domain/price-choice.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { flag } from "../page/layout.ts";
import type { TierOnSale } from "../queries.ts";

type Price = TierOnSale["prices"][number];

export interface CardTerms {
  /** The requested billing period, as `periodKey` names it. */
  readonly period: string | null;
  readonly currency: string;
  /** Days before the first charge of a price that is not free; null for none. */
  readonly trialDays: number | null;
  /** Where the form goes. */
  readonly action: string;
}

const FEATURES: Readonly<Record<TierFeature["type"], { sign: string; said: string }>> = {
  positive: { sign: "✓", said: "Included: " },
  negative: { sign: "✕", said: "Not included: " },
  neutral: { sign: "•", said: "" },
};

/** A tier with its prices as a form, whose button buys the selected one: `chosen` at first. */
export function tierCard(tier: TierOnSale, chosen: Price, terms: CardTerms): Html {
  return html`<li class="card tier">
${buyingForm(tier, chosen, terms, html`<h2 id="${titleId(tier)}">${tier.name}</h2>\n`)}
</li>`;
}

/** The same as a line with the name and the selected price, which opens the rest. An address with the form's id opens it, too. */
export function foldedTier(tier: TierOnSale, chosen: Price, terms: CardTerms): Html {
  return html`<li class="card tier folded">
<details name="tiers"><summary><h2 id="${titleId(tier)}">${tier.name}</h2> <bdi data-chosen>${formats.price(chosen)}</bdi></summary>
${buyingForm(tier, chosen, terms, null)}
</details>
</li>`;
}

function titleId({ id }: TierOnSale): string {
  return `name-${id}`;
}

function buyingForm(tier: TierOnSale, chosen: Price, terms: CardTerms, title: Html | null): Html {
  return html`<form method="post" action="${terms.action}" id="tier-${tier.id}" data-once aria-labelledby="${titleId(tier)}">
${tier.prices.length === 1 ? html`<input type="hidden" name="tierPriceId" value="${chosen.id}">\n` : null}${title}
${tier.description === "" ? null : html`<p class="description">${tier.description}</p>`}
${tier.prices.length === 1 ? onePrice(chosen) : priceChoice(tier, chosen)}
${trialNote(tier, terms)}
${tier.features.length === 0 ? null : html`<ul class="features">${tier.features.map(featureLine)}</ul>`}
<button class="primary">${buttonWord(tier, terms)}<span class="unseen"> ${tier.name}</span></button>
</form>`;
}

function onePrice(price: Price): Html {
  const amount =
    price.amount === 0
      ? html`<strong>Free</strong>`
      : html`<strong>${formats.priceAmount(price.amount, price.currency)}</strong>${everyPeriod(price)}`;
  return html`<p class="price">${amount}</p>`;
}

function priceChoice({ name, prices }: TierOnSale, chosen: Price): Html {
  const savings = savingsOf(prices);
  const rows = byPeriod(prices).map((price) => {
    const saving = savings.get(price) ?? null;
    return html`<label class="choice"><input type="radio" name="tierPriceId" value="${price.id}" data-period="${periodKey(price)}"${flag("checked", price === chosen)}>
<span>${formats.price(price)}</span>${saving === null ? null : html` <span class="saving">save ${String(saving)}%</span>`}</label>`;
  });
  return html`<fieldset class="choices"><legend class="unseen">Price of ${name}</legend>
${rows}</fieldset>`;
}

function hasTrial({ prices }: TierOnSale, { trialDays }: CardTerms): boolean {
  return trialDays !== null && prices.every(({ amount }) => amount > 0);
}

function trialNote(tier: TierOnSale, terms: CardTerms): Html | null {
  if (!hasTrial(tier, terms)) return null;
  const days = formats.count(terms.trialDays ?? 0);
  return html`<p class="trial">First ${days} ${days === "1" ? "day" : "days"} free.</p>`;
}

/** The tier's name follows for those who hear the button by itself. */
function buttonWord(tier: TierOnSale, terms: CardTerms): string {
  if (tier.prices.every(({ amount }) => amount === 0)) return "Get";
  return hasTrial(tier, terms) ? "Try" : "Buy";
}

function featureLine({ label, type }: TierFeature): Html {
  const { sign, said } = FEATURES[type];
  const spoken = said === "" ? null : html`<span class="unseen">${said}</span>`;
  return html`<li class="${type}"><span class="sign" aria-hidden="true">${sign}</span><span>${spoken}${label}</span></li>`;
}
