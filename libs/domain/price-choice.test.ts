import { describe, expect, it } from "vitest";
import {
  byPeriod,
  type ComparedPrice,
  firstChoice,
  periodKey,
  periodsOf,
  savingsOf,
} from "./price-choice.ts";

const monthlyPrice: ComparedPrice = { interval: "Month", intervalCount: 1, amount: 4900, currency: "usd" };
const yearlyPrice: ComparedPrice = { interval: "Year", intervalCount: 1, amount: 49_000, currency: "usd" };
const weeklyPrice: ComparedPrice = { interval: "Week", intervalCount: 2, amount: 2500, currency: "usd" };
const inEuros: ComparedPrice = { ...monthlyPrice, amount: 4500, currency: "eur" };

it("orders prices by how long they last, then by currency", () => {
  expect(byPeriod([yearlyPrice, monthlyPrice, weeklyPrice, inEuros])).toEqual([
    weeklyPrice,
    inEuros,
    monthlyPrice,
    yearlyPrice,
  ]);
});

it("names each period once", () => {
  expect(periodsOf([yearlyPrice, monthlyPrice, inEuros]).map(periodKey)).toEqual(["1-month", "1-year"]);
});

describe("what a longer period saves", () => {
  it.each<[string, ComparedPrice, readonly ComparedPrice[], number | null]>([
    ["a year for ten months", yearlyPrice, [monthlyPrice], 16],
    ["a year for twelve months", { ...yearlyPrice, amount: 58_800 }, [monthlyPrice], null],
    ["a year that costs more", { ...yearlyPrice, amount: 99_000 }, [monthlyPrice], null],
    ["the only price", monthlyPrice, [], null],
    ["a price beside one in another currency", yearlyPrice, [inEuros], null],
    ["anything beside a free price", yearlyPrice, [{ ...monthlyPrice, amount: 0 }], null],
  ])("says of %s", (_what, price, others, saving) => {
    expect(savingsOf([price, ...others]).get(price) ?? null).toBe(saving);
  });
});

it("begins with the wanted period in the workspace's currency, and with the shortest where there is none", () => {
  const prices = [yearlyPrice, monthlyPrice, inEuros] as const;

  expect(firstChoice(prices, { period: "1-year", currency: "eur" })).toBe(yearlyPrice);
  expect(firstChoice(prices, { period: "1-month", currency: "usd" })).toBe(monthlyPrice);
  expect(firstChoice(prices, { period: null, currency: "chf" })).toBe(inEuros);
  expect(firstChoice(prices, { period: "7-day", currency: "usd" })).toBe(monthlyPrice);
});
