import { expect, it } from "vitest";
import { routeOf } from "./page-view.ts";

const at = (address: string) => routeOf(new URL(address, "https://site.example"));

it.each([
  ["/a", "/b"],
  ["/#/a", "/#/b"],
  ["/#!a", "/#!b"],
])("tells %s from %s", (one, other) => {
  expect(at(one)).not.toBe(at(other));
});

it.each([
  ["/a", "/a?q=1"],
  ["/a", "/a#heading"],
])("takes %s and %s for one page view", (one, other) => {
  expect(at(one)).toBe(at(other));
});
