import { expect, it } from "vitest";
import { formatMoney, minorUnitDigits } from "./money.ts";

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

it("counts in hundredths unless the currency is one of the others", () => {
  expect(["usd", "huf", "isk", "jpy", "krw", "bhd"].map(minorUnitDigits)).toEqual([2, 2, 2, 0, 0, 3]);
});
