import { expect, it } from "vitest";
import { asName, countCharacters, isNoLongerThan, isStorable } from "./storable-text.ts";

it("takes white space and every character but controls and lone surrogates", () => {
  for (const text of ["", " \t\n\v\f\r\u00a0\u2028\ufeff", "plain", "☕️ Ärger 東京", "😀"]) {
    expect(isStorable(text), JSON.stringify(text)).toBe(true);
  }
  for (const text of [
    "\u0000",
    "a\u0001",
    "\u0008",
    "\u000e",
    "\u007f",
    "\u0085",
    "\ud800",
    "x\udc00",
    "\ud83dx",
  ]) {
    expect(isStorable(text), JSON.stringify(text)).toBe(false);
  }
});

it("answers for a million spaces and a control character", () => {
  const verdict = isStorable(`${" ".repeat(1_000_000)}\u0001`);

  expect(verdict).toBe(false);
});

it.each([
  ["", 0, true],
  ["abc", 3, true],
  ["abcd", 3, false],
  ["😀😀😀", 3, true],
  ["😀😀😀😀", 3, false],
  ["😀😀a", 3, true],
  ["x".repeat(1_000_000), 3, false],
])("tells whether a text of characters is within a length (%#)", (text, max, isShort) => {
  expect([isNoLongerThan(max, text), countCharacters(text) <= max]).toEqual([isShort, isShort]);
});

it.each([
  ["Bob\r\nBcc: x@y.z", "Bob Bcc: x@y.z"],
  ["\u202Egnp.exe", "gnp.exe"],
  ["Ada\u2028Example\u200b", "Ada Example"],
  ["  Ada \t\u0000 Example ", "Ada Example"],
  ["Grace \ud800", "Grace"],
  ["\u2066\n\u2069", null],
  ["😀".repeat(81), "😀".repeat(80)],
  [`${"x".repeat(79)} y`, "x".repeat(79)],
])("makes a name of %j that our own inputs would take", (given, name) => {
  expect(asName(80, given)).toBe(name);
});
