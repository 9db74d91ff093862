import fc from "fast-check";
import { expect, it } from "vitest";
import { compareWords } from "./word-difference.ts";

const someWords = fc
  .array(fc.constantFrom("fresh", "coffee", " ", "\n", ",", "Kaffee", "ü", "🙂"), { maxLength: 12 })
  .map((words) => words.join(""));

it("keeps both texts whole", () => {
  fc.assert(
    fc.property(someWords, someWords, (before, after) => {
      const parts = compareWords(before, after);

      expect(joined(parts, "added")).toBe(before);
      expect(joined(parts, "removed")).toBe(after);
    }),
  );
});

it("shows only what changed", () => {
  expect(compareWords("Roasted this morning", "Roasted every morning")).toEqual([
    { kind: "same", text: "Roasted " },
    { kind: "removed", text: "this" },
    { kind: "added", text: "every" },
    { kind: "same", text: " morning" },
  ]);
  expect(compareWords("same", "same")).toEqual([{ kind: "same", text: "same" }]);
});

it("shows long texts as replaced, because comparing them would block the page", () => {
  const long = "word ".repeat(1000);

  expect(compareWords(long, `${long}more`)).toEqual([
    { kind: "removed", text: long },
    { kind: "added", text: `${long}more` },
  ]);
  expect(compareWords(long, long)).toEqual([{ kind: "same", text: long }]);
});

function joined(parts: ReturnType<typeof compareWords>, without: string) {
  return parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");
}
