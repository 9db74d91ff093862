import { expect, it } from "vitest";
import {
  dateLocale,
  formatAxisCount,
  formatClickRate,
  formatCount,
  formatCounted,
  formatDate,
  formatMoney,
  formatPercent,
  formatStatsDay,
  formatWait,
} from "./format.ts";

it("writes amounts with the decimal places of their currency", () => {
  const amounts = [formatMoney(4900, "usd"), formatMoney(4900, "jpy"), formatMoney(-4950, "eur")];

  expect(amounts).toEqual(["$49.00", "¥4,900", "-€49.50"]);
});

it("groups the digits of counts, and shortens them for axes", () => {
  expect([formatCount(1_234_567), formatAxisCount(12_345), formatAxisCount(1500)]).toEqual([
    "1,234,567",
    "12.3K",
    "1,500",
  ]);
});

it("writes shares as percentages, and a share of zero events as a dash", () => {
  expect([formatPercent(0.018_44), formatPercent(0.02), formatPercent(0), formatPercent(Number.NaN)]).toEqual(
    ["1.84%", "2.00%", "0.00%", "–"],
  );
});

it("writes days of the stats in UTC", () => {
  expect(formatStatsDay("2026-11-21T00:00:00.000Z")).toBe("Nov 21");
  expect(formatStatsDay("2026-11-21T00:00:00.000Z", true)).toBe("Nov 21, 2026");
});

it.each([
  ["en-GB", "21 Nov 2026, 14:05"],
  ["de", "21 Nov 2026, 14:05"],
  ["en-US", "Nov 21, 2026, 2:05 PM"],
  ["not a language", "Nov 21, 2026, 2:05 PM"],
  [undefined, "Nov 21, 2026, 2:05 PM"],
])("writes dates in English, as the region of %s does", (language, words) => {
  const format = new Intl.DateTimeFormat(dateLocale(language), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });

  expect(format.format(Date.UTC(2026, 10, 21, 14, 5)).replaceAll("\u202f", " ")).toBe(words);
});

it("writes the day of a timestamp", () => {
  expect(formatDate("2026-11-21T12:00:00.000Z")).toBe("Nov 21, 2026");
});

it("writes the click rate, and a dash below 100 impressions", () => {
  expect(formatClickRate({ impressions: 200, clicks: 3 })).toBe("1.50%");
  expect(formatClickRate({ impressions: 1, clicks: 1 })).toBe("–");
});

it("writes one thing in the singular", () => {
  expect([
    formatCounted(1, "event"),
    formatCounted(1200, "event"),
    formatCounted(0, "entry", "entries"),
  ]).toEqual(["1 event", "1,200 events", "0 entries"]);
});

it.each([
  ["2026-11-21T11:59:30.000Z", "1 minute"],
  ["2026-11-21T11:01:00.000Z", "59 minutes"],
  ["2026-11-21T08:59:00.000Z", "3 hours"],
  ["2026-11-19T12:00:00.000Z", "2 days"],
])("writes the time since %s as %s", (since, words) => {
  expect(formatWait(since, Date.parse("2026-11-21T12:00:00.000Z"))).toBe(words);
});
