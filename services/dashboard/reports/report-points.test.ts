import { expect, it } from "vitest";
import { isOver } from "./report-periods.ts";
import { unfinishedAt } from "./report-points.ts";
import { changeWords, metricWords, timeWords } from "./report-words.ts";

const days = (...times: string[]) =>
  times.map((time) => ({ dimensions: { time: `${time}T00:00:00+05:45` }, metrics: {} }));
const KATHMANDU = { to: "2026-11-28", timeZone: "Asia/Kathmandu" };

it("knows which time is not over", () => {
  const rows = days("2026-11-26", "2026-11-27", "2026-11-28");

  expect(unfinishedAt(rows, KATHMANDU, Date.UTC(2026, 10, 28, 6))).toBe(2);
  expect(unfinishedAt(rows, KATHMANDU, Date.UTC(2026, 10, 27, 18, 14))).toBe(1);
  expect(unfinishedAt(rows, KATHMANDU, Date.UTC(2026, 10, 28, 18, 15))).toBeNull();
  expect(unfinishedAt([], KATHMANDU, Date.UTC(2026, 10, 28, 6))).toBeNull();
});

it("knows until which instant a period is not over", () => {
  expect(isOver(KATHMANDU, Date.parse("2026-11-28T23:59:59+05:45"))).toBe(false);
  expect(isOver(KATHMANDU, Date.parse("2026-11-29T00:00:00+05:45"))).toBe(true);
});

it("writes figures and their changes, and a dash for none", () => {
  const now = { impressions: 1100, clicks: 0, invalid: 3, ctr: 0 };
  const before = { impressions: 1000, clicks: 0, invalid: 0, ctr: 0 };

  expect(metricWords({ impressions: null }, "impressions")).toBe("–");
  expect(metricWords(now, "impressions")).toBe("1,100");
  expect(changeWords(now, before, "impressions")).toBe("+10% from 1,000");
  expect(changeWords(now, before, "clicks")).toBe("No change");
  expect(changeWords(now, before, "invalid")).toBe("from 0");
  expect(changeWords(now, { impressions: null }, "impressions")).toBeNull();
  expect(changeWords(now, undefined, "impressions")).toBeNull();
});

it("names times as the report's clocks show them", () => {
  expect(timeWords("2026-11-23T14:00:00+05:45", "hour", "Asia/Kathmandu")).toBe("Nov 23, 14:00");
  expect(timeWords("2026-11-23T00:00:00+05:45", "day", "Asia/Kathmandu")).toBe("Nov 23, 2026");
  expect(timeWords("2026-11-01T00:00:00+05:45", "month", "Asia/Kathmandu")).toBe("November 2026");
});

it("tells apart the two hours that the clocks repeat", () => {
  const hours = ["00:00:00-04:00", "01:00:00-04:00", "01:00:00-05:00", "02:00:00-05:00"];

  expect(hours.map((hour) => timeWords(`2026-11-01T${hour}`, "hour", "America/New_York"))).toEqual([
    "Nov 1, 00:00",
    "Nov 1, 01:00",
    "Nov 1, 01:00 (UTC-05:00)",
    "Nov 1, 02:00",
  ]);
});
