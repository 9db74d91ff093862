import fc from "fast-check";
import { expect, it } from "vitest";
import { hasUtm, type Utm, withUtm } from "./utm.ts";

const NO_UTM: Utm = { source: null, medium: null, campaign: null };

const NAMES = { ad: "Nord & Co", tier: "Gold" };
const UTM = { source: "weekly news", medium: null, campaign: "gold&more" };

it.each([
  ["https://example.com", "https://example.com/?utm_source=weekly%20news&utm_campaign=gold%26more"],
  [
    "https://example.com/a#top",
    "https://example.com/a?utm_source=weekly%20news&utm_campaign=gold%26more#top",
  ],
  ["https://example.com/?", "https://example.com/?utm_source=weekly%20news&utm_campaign=gold%26more"],
  [
    "https://example.com/?b=x%20y&a=1+2",
    "https://example.com/?b=x%20y&a=1+2&utm_source=weekly%20news&utm_campaign=gold%26more",
  ],
  ["https://example.com/?utm_source=own", "https://example.com/?utm_source=own&utm_campaign=gold%26more"],
  [
    "https://münchen.example/straße",
    "https://xn--mnchen-3ya.example/stra%C3%9Fe?utm_source=weekly%20news&utm_campaign=gold%26more",
  ],
])("adds to %s only what it does not have", (address, expected) => {
  expect(withUtm(address, UTM, NAMES)).toBe(expected);
});

it("changes nothing where nothing is to be added", () => {
  expect(withUtm("https://example.com/?b=x%20y&a=1+2#c", NO_UTM, NAMES)).toBe(
    "https://example.com/?b=x%20y&a=1+2#c",
  );
});

it("fills in the names of the ad and its tier, once and within a bound", () => {
  const utmOf = (source: string, names = NAMES) =>
    new URL(withUtm("https://example.com", { ...NO_UTM, source }, names)).searchParams.get("utm_source");

  expect(utmOf("weekly {tier}: {ad} {other}")).toBe("weekly Gold: Nord & Co {other}");
  expect(utmOf("{ad}", { ad: "{tier}", tier: "Gold" })).toBe("{tier}");
  expect(utmOf("{ad}".repeat(25), { ad: "☕".repeat(100), tier: "Gold" })).toBe("☕".repeat(200));
});

it("knows whether anything is to be added", () => {
  expect([hasUtm(NO_UTM), hasUtm({ ...NO_UTM, medium: "newsletter" })]).toEqual([false, true]);
});

it("never leads to another host or path, whatever is added", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: "binary" }), (address, value) => {
      fc.pre(value.isWellFormed() && !/\{(ad|tier)\}/.test(value));
      const before = new URL(address);
      const after = new URL(withUtm(address, { source: value, medium: value, campaign: value }, NAMES));

      expect([after.origin, after.pathname, after.hash]).toEqual([
        before.origin,
        before.pathname,
        before.hash,
      ]);
      expect(after.searchParams.get("utm_source")).toBe(before.searchParams.get("utm_source") ?? value);
    }),
  );
});
