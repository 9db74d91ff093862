import { expect, it } from "vitest";
import { valueWords } from "./report-words.ts";

it.each([
  ["country", "DE", "Germany"],
  ["country", "ZZ", "Unknown Region"],
  ["country", "(not known)", "Not known"],
  ["device", "phone", "Phone"],
  ["device", "unknown", "Not known"],
  ["path", "(other)", "All others"],
  ["path", "/news", "/news"],
  ["browser", "Firefox", "Firefox"],
  ["verdict", "bot", "Bots"],
] as const)("shows of the %s %s the words %s", (dimension, value, words) => {
  expect(valueWords(dimension, value)).toBe(words);
});
