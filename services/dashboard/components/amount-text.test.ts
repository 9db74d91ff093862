import fc from "fast-check";
import { expect, it } from "vitest";
import { minorUnitDigits } from "#libs/domain/money.ts";
import { amountExample, readAmount } from "./amount-text.ts";

it.each([
  ["49", "usd", 4900],
  ["49.9", "usd", 4990],
  ["49.90", "usd", 4990],
  ["49,90", "eur", 4990],
  [".5", "usd", 50],
  ["0", "usd", 0],
  ["1,234", "usd", 123_400],
  ["1,234.50", "usd", 123_450],
  ["1.234,50", "eur", 123_450],
  ["1.234.567", "idr", 123_456_700],
  ["1 234.50", "usd", 123_450],
  ["1’234.50", "chf", 123_450],
  ["4900", "jpy", 4900],
  ["4,900", "jpy", 4900],
  ["1.5", "kwd", 1500],
  ["1.234", "kwd", 1234],
  ["12,345.678", "kwd", 12_345_678],
  ["999999.99", "usd", 99_999_999],
  ["9,999,999,999.99", "idr", 999_999_999_999],
])("reads %j in %s as %i of the smallest unit", (text, currency, amount) => {
  expect(readAmount(text, currency)).toEqual({ amount });
});

it.each([
  ["", "usd", "Enter an amount; 0 is free."],
  ["free", "usd", "Enter an amount, such as 49."],
  ["-5", "usd", "Enter an amount, such as 49."],
  ["1e3", "usd", "Enter an amount, such as 49."],
  ["1,23,4", "usd", "Enter an amount, such as 49."],
  ["1.234", "usd", "USD has at most 2 decimals."],
  ["49.00", "jpy", "JPY has no decimals."],
  ["1.2345", "kwd", "KWD has at most 3 decimals."],
  ["1000000", "usd", "This amount is too large."],
  ["90071992547409.92", "usd", "This amount is too large."],
])("rejects %j in %s", (text, currency, problem) => {
  expect(readAmount(text, currency)).toEqual({ problem });
});

it("reads every amount, written with the decimals of its currency", () => {
  const amounts = fc.oneof(fc.nat(99_999_999), fc.nat(2000));

  fc.assert(
    fc.property(amounts, fc.constantFrom("usd", "jpy", "kwd"), (amount, currency) => {
      expect(readAmount(writeAmount(amount, currency), currency)).toEqual({ amount });
    }),
  );
});

it("shows a currency's decimals in the placeholder", () => {
  expect(["usd", "jpy", "kwd"].map(amountExample)).toEqual(["49.00", "4900", "49.000"]);
});

/** 4900 `usd` is `49.00`, 4900 `jpy` is `4900`. */
function writeAmount(amount: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  if (digits === 0) return String(amount);
  const padded = String(amount).padStart(digits + 1, "0");
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}
