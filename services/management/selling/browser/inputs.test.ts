import { expect, it } from "vitest";
import { characterCount, pickable } from "./inputs.ts";

it.each<[string, number, string]>([
  ["", 10, "0/10"],
  ["1234567", 10, "7/10"],
  ["12345678", 10, "8/10"],
  ["1234567890", 10, "10/10"],
  ["  1234567890  ", 10, "10/10"],
  ["12345678901", 10, "11/10 – 1 over the limit"],
  ["😀😀😀", 3, "3/3"],
])("counts %j against a limit of %i: %j", (text, limit, shown) => {
  expect(characterCount(text, limit)).toBe(shown);
});

it.each<[string, string | null]>([
  ["#FF8800", "#ff8800"],
  [" #f80 ", "#ff8800"],
  ["", null],
  ["red", null],
  ["#ff88", null],
])("gives a color input for %j: %j", (text, color) => {
  expect(pickable(text)).toBe(color);
});
