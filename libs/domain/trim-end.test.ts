import { expect, it } from "vitest";
import { trimEndOf } from "./trim-end.ts";

it.each([
  ["/files///", "/", "/files"],
  ["//", "/", ""],
  ["a/b", "/", "a/b"],
  ["SELECT 1 ;\n", " \n;", "SELECT 1"],
  ["", "_", ""],
])("takes from the end of %j all of %j", (text, characters, rest) => {
  expect(trimEndOf(text, characters)).toBe(rest);
});
