import { expect, it } from "vitest";
import { checkPrice, emptyPrice } from "./price-draft.ts";
import { checkNewTier, checkTier, draftOfTier, emptyTier, newFeature, previewOf } from "./tier-draft.ts";

const gold = {
  ...emptyTier("usd"),
  name: "  Gold ",
  weight: "2,5",
  description: "Top of every page.",
  features: [newFeature({ label: " First in rotation ", type: "positive" })],
  initialPrices: [{ ...emptyPrice("jpy"), amount: "4,900", intervalCount: "3" }],
};

it("sends a new tier with its amounts in the smallest unit", () => {
  expect(checkNewTier(gold)).toEqual({
    input: {
      name: "Gold",
      weight: 2.5,
      description: "Top of every page.",
      features: [{ label: "First in rotation", type: "positive" }],
      initialPrices: [{ amount: 4900, currency: "jpy", interval: "Month", intervalCount: 3 }],
    },
  });
});

it("reports errors at the paths that the server uses", () => {
  const draft = {
    ...gold,
    name: " G ",
    weight: "0",
    features: [newFeature()],
    initialPrices: [
      gold.initialPrices[0] ?? emptyPrice("usd"),
      { ...emptyPrice("usd"), intervalCount: "37" },
    ],
  };

  expect(checkNewTier(draft)).toEqual({
    errors: {
      name: "Must have at least 2 characters.",
      weight: "Must be above 0.",
      "features.0.label": "Enter a text, or remove the line.",
      "initialPrices.1.amount": "Enter an amount; 0 is free.",
      "initialPrices.1.intervalCount": "A billing period lasts at most two years.",
    },
  });
});

it("requires a price for a new tier only", () => {
  const draft = { ...gold, initialPrices: [] };

  expect(checkNewTier(draft)).toEqual({
    errors: { initialPrices: "A tier needs a price to be sold at." },
  });
  expect(checkTier(draft)).toHaveProperty("input.name", "Gold");
});

it.each(["", "abc", "-1", "1e9", "1.2.3", "Infinity"])("rejects a weight of %j", (weight) => {
  expect(checkTier({ ...gold, weight })).toHaveProperty("errors.weight");
});

it.each(["", "0", "1.5", "-1"])("rejects an interval count of %j", (intervalCount) => {
  const checked = checkPrice({ ...emptyPrice("usd"), amount: "1", intervalCount });

  expect(checked).toEqual({ errors: { intervalCount: "Enter a whole number from 1." } });
});

it("does not change a tier that nobody edited", () => {
  const values = {
    name: "Gold",
    weight: 0.5,
    description: "",
    features: [{ label: "No tracking", type: "negative" as const }],
  };
  const tier = { id: "tier_1", order: 0, isActive: true, prices: [], ...values };

  expect(checkTier(draftOfTier(tier))).toEqual({ input: values });
});

it("previews a half-filled form", () => {
  const draft = { ...gold, name: "", weight: "", features: [...gold.features, newFeature()] };

  expect(previewOf(draft)).toMatchObject({
    name: "Tier name",
    weight: 1,
    features: [{ label: " First in rotation " }],
  });
});
