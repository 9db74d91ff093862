import { expect, it } from "vitest";
import { formats } from "./formats.ts";

it.each([
  ["usd", "$49.00"],
  ["jpy", "¥4,900"],
])("writes money in the units of its currency: %s", (currency, written) => {
  expect(formats.money(4900, currency)).toBe(written);
});

it("writes counts, click rates, days and months, in UTC", () => {
  expect(formats.count(12_345)).toBe("12,345");
  expect(formats.clickRate({ impressions: 12_345, clicks: 678 })).toBe("5.49%");
  expect(formats.day(new Date("2026-12-01T23:59:59Z"))).toBe("December 1, 2026");
  expect(formats.month("2026-10")).toBe("October 2026");
});

it("has no click rate below 100 impressions", () => {
  expect(formats.clickRate({ impressions: 100, clicks: 2 })).toBe("2.00%");
  expect(formats.clickRate({ impressions: 99, clicks: 2 })).toBe("–");
});
