import { expect, it } from "vitest";
import { pickable } from "./color-picker.ts";

it.each<[string, string | null]>([
  ["#FF8800", "#ff8800"],
  [" #f80 ", "#ff8800"],
  ["", null],
  ["red", null],
  ["#ff88", null],
])("makes of %j %j for a picker", (text, color) => {
  expect(pickable(text)).toBe(color);
});
