import { countCharacters } from "#libs/domain/storable-text.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import { type Checked, checkPrice, emptyPrice, type PriceDraft, type PriceInput } from "./price-draft.ts";
import type { Tier } from "./shapes.ts";

export const MOST_FEATURES = 15;
const LONGEST_NAME = 80;
const LONGEST_LABEL = 80;
const LONGEST_DESCRIPTION = 2000;

/** A feature in a form, where it needs a name of its own to be moved by. */
export interface FeatureDraft extends TierFeature {
  readonly key: string;
}

/** A tier as it stands in a form; a tier that exists has its prices elsewhere. */
export interface TierDraft {
  readonly name: string;
  /** As typed. */
  readonly weight: string;
  readonly description: string;
  readonly features: readonly FeatureDraft[];
  readonly initialPrices: readonly PriceDraft[];
}

export interface TierInput {
  readonly name: string;
  readonly weight: number;
  readonly description: string;
  readonly features: TierFeature[];
}

let features = 0;

/** A new line for a tier's card. */
export function newFeature(feature: TierFeature = { label: "", type: "positive" }): FeatureDraft {
  features += 1;
  return { ...feature, key: `feature-${features}` };
}

export function emptyTier(currency: string): TierDraft {
  return {
    name: "",
    weight: "1",
    description: "",
    features: [],
    initialPrices: [emptyPrice(currency)],
  };
}

export function draftOfTier(tier: Tier): TierDraft {
  const { name, weight, description } = tier;
  return {
    name,
    weight: String(weight),
    description,
    features: tier.features.map(newFeature),
    initialPrices: [],
  };
}

/** Reads all but the prices out of a tier's form. */
export function checkTier(draft: TierDraft): Checked<TierInput> {
  const errors: Record<string, string> = {};
  const name = draft.name.trim();
  if (countCharacters(name) < 2) errors.name = "Enter a name of at least 2 characters.";
  if (countCharacters(name) > LONGEST_NAME)
    errors.name = `Enter a name of at most ${LONGEST_NAME} characters.`;
  const weight = readWeight(draft.weight);
  if (weight === null) errors.weight = "Enter a number above 0.";
  if (countCharacters(draft.description) > LONGEST_DESCRIPTION) {
    errors.description = `Use at most ${LONGEST_DESCRIPTION} characters.`;
  }
  for (const [index, { label }] of draft.features.entries()) {
    const length = countCharacters(label.trim());
    if (length === 0) errors[`features.${index}.label`] = "Enter a text, or remove the line.";
    if (length > LONGEST_LABEL)
      errors[`features.${index}.label`] = `Use at most ${LONGEST_LABEL} characters.`;
  }
  if (weight === null || Object.keys(errors).length > 0) return { errors };
  return {
    input: {
      name,
      weight,
      description: draft.description,
      features: draft.features.map(({ label, type }) => ({ label: label.trim(), type })),
    },
  };
}

/** Reads a new tier with its first prices out of its form. */
export function checkNewTier(draft: TierDraft): Checked<TierInput & { initialPrices: PriceInput[] }> {
  const tier = checkTier(draft);
  const errors: Record<string, string> = "errors" in tier ? { ...tier.errors } : {};
  const initialPrices: PriceInput[] = [];
  for (const [index, price] of draft.initialPrices.entries()) {
    const checked = checkPrice(price);
    if ("input" in checked) initialPrices.push(checked.input);
    else {
      for (const [path, problem] of Object.entries(checked.errors)) {
        errors[`initialPrices.${index}.${path}`] = problem;
      }
    }
  }
  if (draft.initialPrices.length === 0) errors.initialPrices = "A tier needs a price to be sold at.";
  return "input" in tier && Object.keys(errors).length === 0
    ? { input: { ...tier.input, initialPrices } }
    : { errors };
}

/** What stands in the form as far as it can be shown on the card already. */
export function previewOf(draft: TierDraft): TierInput {
  return {
    name: draft.name.trim() === "" ? "Name of the tier" : draft.name,
    weight: readWeight(draft.weight) ?? 1,
    description: draft.description,
    features: draft.features.filter(({ label }) => label.trim() !== ""),
  };
}

function readWeight(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain)) return null;
  const weight = Number(plain);
  return Number.isFinite(weight) && weight > 0 ? weight : null;
}
