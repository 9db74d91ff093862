import { expect, it } from "vitest";
import { isId, newId } from "./ids.ts";

it("makes ids that carry their kind and sort by the time they were made", () => {
  const ids = Array.from({ length: 50 }, () => newId("ad"));

  expect(ids.every((id) => isId("ad", id))).toBe(true);
  expect(new Set(ids).size).toBe(50);
  expect([...ids].sort()).toEqual(ids);
});

it("takes an id of another kind, a malformed one and hostile text for ids that do not exist", () => {
  const id = newId("tier");

  for (const text of [
    id,
    "",
    "ad_",
    "ad_123",
    `${newId("ad")}\u0000`,
    "ad_\ud800",
    newId("ad").toUpperCase(),
    "x".repeat(1e6),
  ]) {
    expect(isId("ad", text)).toBe(false);
  }
});
