import { expect, it } from "vitest";
import {
  formatCount,
  formatDate,
  formatMoney,
  formatPercent,
  formatShortCount,
  formatStatsDay,
} from "./format.ts";

it("writes amounts with the digits that their currency is counted in", () => {
  const amounts = [formatMoney(4900, "usd"), formatMoney(4900, "jpy"), formatMoney(-4950, "eur")];

  expect(amounts).toEqual(["$49.00", "¥4,900", "-€49.50"]);
});

it("groups the digits of counts, and shortens them for axes", () => {
  expect([formatCount(1_234_567), formatShortCount(12_345), formatShortCount(999)]).toEqual([
    "1,234,567",
    "12.3K",
    "999",
  ]);
});

it("writes shares as percentages, and a share of nothing as a dash", () => {
  expect([formatPercent(0.018_44), formatPercent(0), formatPercent(Number.NaN)]).toEqual([
    "1.84%",
    "0%",
    "–",
  ]);
});

it("keeps a day of the stats the day that it is in UTC", () => {
  expect(formatStatsDay("2026-11-21T00:00:00.000Z")).toBe("Nov 21");
});

it("writes the day of a timestamp", () => {
  expect(formatDate("2026-11-21T12:00:00.000Z")).toBe("Nov 21, 2026");
});
