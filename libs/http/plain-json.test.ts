import { expect, it } from "vitest";
import { costOfJson } from "./plain-json.ts";

const MEBIBYTE = 1024 * 1024;

it.each([
  ["lists in lists", "[".repeat(MEBIBYTE), "The body is nested more than 32 levels deep."],
  ["objects in objects", '{"a":'.repeat(200_000), "The body is nested more than 32 levels deep."],
  ["a long list", `[${"1,".repeat(500_000)}1]`, "The body has more than 20,000 values."],
  [
    "many keys",
    `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join()}}`,
    "The body has more than 20,000 values.",
  ],
  ["empty objects", `[${"{},".repeat(340_000)}1]`, "The body has more than 20,000 values."],
])("names what makes %s expensive", (_what, text, sentence) => {
  expect(costOfJson(text)).toBe(sentence);
});

it.each([
  ["brackets and commas in a string", JSON.stringify({ a: "[{,".repeat(300_000) })],
  ["quotes and backslashes in a string", JSON.stringify({ a: '\\",[{'.repeat(100_000) })],
  [
    "a thousand events",
    JSON.stringify({ events: Array.from({ length: 1_000 }, (_, n) => ({ n, a: { b: [1, 2, 3] } })) }),
  ],
  ["32 levels", `${"[".repeat(32)}"${"x".repeat(5_000)}"${"]".repeat(32)}`],
  ["a short text", "[".repeat(4_096)],
])("finds nothing expensive in %s", (_what, text) => {
  expect(costOfJson(text)).toBeNull();
});
