import { expect, it } from "vitest";
import { reorderFields } from "#libs/domain/reorder.ts";
import { moveItem } from "./move.ts";

const LETTERS = ["a", "b", "c", "d"];

it.each([
  [0, 2, "bcad"],
  [3, 0, "dabc"],
  [1, 1, "abcd"],
  [0, 4, "abcd"],
  [4, 0, "abcd"],
  [0, -1, "abcd"],
])("moves from %i to %i", (from, to, expected) => {
  expect(moveItem(LETTERS, from, to).join("")).toBe(expected);
});

it("ends where the server puts a field that is sent with that target", () => {
  for (const [from, id] of LETTERS.entries()) {
    for (const to of LETTERS.keys()) {
      expect(moveItem(LETTERS, from, to)).toEqual(reorderFields(LETTERS, [{ id, order: to }]));
    }
  }
});
