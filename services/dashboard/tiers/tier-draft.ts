import type { z } from "zod";
import type { Tier } from "#libs/contract/tiers.ts";
import { newTier } from "#libs/contract/tiers.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import { type Checked, checkInput } from "../components/forms/check-input.ts";
import { readDecimal } from "../components/forms/read-number.ts";
import { type DraftErrors, errorsOfPart } from "../components/forms/use-draft.ts";
import { checkPrice, emptyPrice, type PriceDraft, type PriceInput } from "./price-draft.ts";

/** A feature in a form, with a key to move it by. */
export interface FeatureDraft extends TierFeature {
  readonly key: string;
}

/** A tier in a form. The prices of a tier that exists have forms of their own. */
export interface TierDraft {
  readonly name: string;
  /** As typed. */
  readonly weight: string;
  readonly description: string;
  readonly features: readonly FeatureDraft[];
  readonly initialPrices: readonly PriceDraft[];
}

const tierValues = newTier.pick({ name: true, weight: true, description: true, features: true });
export type TierInput = z.output<typeof tierValues>;

const IF_MISSING = {
  name: "Enter a name of at least 2 characters.",
  weight: "Enter a number above 0.",
  "features.*.label": "Enter a text, or remove the line.",
};

let features = 0;

/** A new line of a tier's card. */
export function newFeature(feature: TierFeature = { label: "", type: "positive" }): FeatureDraft {
  features += 1;
  return { ...feature, key: `feature-${features}` };
}

export function emptyTier(currency: string): TierDraft {
  return { name: "", weight: "1", description: "", features: [], initialPrices: [emptyPrice(currency)] };
}

export function draftOfTier({ name, weight, description, features: lines }: Tier): TierDraft {
  return { name, weight: String(weight), description, features: lines.map(newFeature), initialPrices: [] };
}

/** Checks everything but the prices. */
export function checkTier(draft: TierDraft): Checked<TierInput> {
  const weight = readDecimal(draft.weight) ?? Number.NaN;
  return checkInput(tierValues, { ...draft, weight, features: [...draft.features] }, IF_MISSING);
}

/** Checks a new tier with its first prices. */
export function checkNewTier(draft: TierDraft): Checked<TierInput & { initialPrices: PriceInput[] }> {
  const tier = checkTier(draft);
  const prices = draft.initialPrices.map(checkPrice);
  const errors: DraftErrors = {
    ...("errors" in tier ? tier.errors : {}),
    ...Object.assign({}, ...prices.map((price, index) => priceErrors(price, index))),
    ...(prices.length === 0 ? { initialPrices: "A tier needs a price to be sold at." } : {}),
  };
  if ("errors" in tier || Object.keys(errors).length > 0) return { errors };
  return {
    input: { ...tier.input, initialPrices: prices.flatMap((price) => ("input" in price ? price.input : [])) },
  };
}

function priceErrors(price: Checked<PriceInput>, index: number): DraftErrors {
  return "errors" in price ? errorsOfPart(`initialPrices.${index}`, price.errors) : {};
}

/** As much of the draft as the card can show already. */
export function previewOf(draft: TierDraft): TierInput {
  return {
    name: draft.name.trim() === "" ? "Tier name" : draft.name,
    weight: readDecimal(draft.weight) || 1,
    description: draft.description,
    features: draft.features.filter(({ label }) => label.trim() !== ""),
  };
}
