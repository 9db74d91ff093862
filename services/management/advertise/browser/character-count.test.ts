import { expect, it } from "vitest";
import { roomLeft } from "./character-count.ts";

it.each<[string, number, string]>([
  ["", 10, ""],
  ["1234567", 10, ""],
  ["12345678", 10, "2 of 10 characters left."],
  ["1234567890", 10, "0 of 10 characters left."],
  ["  1234567890  ", 10, "0 of 10 characters left."],
  ["12345678901", 10, "1 too many of 10 characters."],
  ["😀😀😀", 3, "0 of 3 characters left."],
])("says of %j in %i characters: %j", (text, most, said) => {
  expect(roomLeft(text, most)).toBe(said);
});
