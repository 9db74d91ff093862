import { expect, it } from "vitest";
import {
  chargeStep,
  formatMoney,
  formatShortMoney,
  isChargeable,
  minorUnitDigits,
  smallestCharge,
} from "./money.ts";

it.each([
  [4900, "usd", "en", "$49.00"],
  [5, "usd", "en", "$0.05"],
  [0, "usd", "en", "$0.00"],
  [4900, "eur", "de", "49,00\u00a0€"],
  [4900, "jpy", "en", "¥4,900"],
  [4900, "jpy", "ja", "￥4,900"],
  [4900, "kwd", "en", "KWD\u00a04.900"],
  // Written without fillér and aurar, but counted in them.
  [490000, "huf", "en", "HUF\u00a04,900.00"],
  [-4900, "usd", "en", "-$49.00"],
  [6_999_999_999_999_999, "usd", "en", "$69,999,999,999,999.99"],
])("writes %i %s in %s as %s", (amount, currency, locale, written) => {
  expect(formatMoney(amount, currency, locale)).toBe(written);
});

it.each([
  [19_900, "usd", "$199"],
  [19_950, "usd", "$199.50"],
  [490_000, "huf", "HUF\u00a04,900"],
  [4900, "jpy", "¥4,900"],
  [4000, "kwd", "KWD\u00a04"],
  [4900, "kwd", "KWD\u00a04.900"],
])("leaves out decimals that are all zero: %i %s is %s", (amount, currency, written) => {
  expect(formatShortMoney(amount, currency, "en")).toBe(written);
});

it("counts in hundredths unless the currency is one of the others", () => {
  expect(["usd", "huf", "isk", "jpy", "krw", "bhd"].map(minorUnitDigits)).toEqual([2, 2, 2, 0, 0, 3]);
});

it.each([
  ["usd", 50, 1],
  ["gbp", 30, 1],
  ["jpy", 50, 1],
  ["huf", 17_500, 1],
  ["kwd", 10, 10],
  ["tnd", 10, 10],
  ["isk", 100, 100],
  ["ugx", 100, 100],
  ["krw", 1, 1],
] as const)("charges at least %s %i, in steps of %i, or nothing", (currency, least, step) => {
  expect([smallestCharge(currency), chargeStep(currency)]).toEqual([least, step]);
  expect(isChargeable(0, currency)).toBe(true);
  expect(isChargeable(least, currency)).toBe(true);
  expect(isChargeable(least + step, currency)).toBe(true);
  expect(isChargeable(least - 1, currency)).toBe(least === 1);
});

it("charges whole units in ISK and UGX, and hundredths in currencies of three decimals", () => {
  expect([isChargeable(12_345, "ugx"), isChargeable(12_345, "isk"), isChargeable(4901, "kwd")]).toEqual([
    false,
    false,
    false,
  ]);
  expect([isChargeable(12_300, "ugx"), isChargeable(4910, "kwd"), isChargeable(12_345, "usd")]).toEqual([
    true,
    true,
    true,
  ]);
});
