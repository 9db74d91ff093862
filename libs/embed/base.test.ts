import { expect, it } from "vitest";
import { baseOf } from "./base.ts";

it.each([
  [undefined, "https://ads.example.com/embed.js", "https://ads.example.com/"],
  [undefined, "https://site.example/ads/embed.js?v=2", "https://site.example/ads/"],
  ["https://ads.example.com", "file:///bundle.js", "https://ads.example.com/"],
  [new URL("https://ads.example.com/below?x"), "file:///bundle.js", "https://ads.example.com/below/"],
])("takes origin %s and script %s for %s", (origin, source, base) => {
  expect(baseOf(origin, source)).toBe(base);
});

it("says what is missing where a copy does not know its origin", () => {
  expect(() => baseOf(undefined, "file:///bundle.js")).toThrow("Placard needs its origin.");
});
