import { expect, it } from "vitest";
import { priceWords } from "./price-words.ts";

const monthly = { interval: "Month", intervalCount: 1, amount: 19_900, currency: "usd" } as const;

it("writes a price with its period, without empty decimals", () => {
  const prices = [monthly, { ...monthly, amount: 19_950, intervalCount: 3 }, { ...monthly, amount: 0 }];

  expect(prices.map((price) => priceWords(price, "en"))).toEqual([
    "$199/month",
    "$199.50 every 3 months",
    "Free",
  ]);
});
