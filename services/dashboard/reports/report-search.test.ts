import { expect, it } from "vitest";
import { dayOfDate } from "#libs/domain/report-zone.ts";
import { datesOf, PRESETS } from "./report-periods.ts";
import {
  changeReport,
  narrowTo,
  type ReportSearch,
  readReportSearch,
  reportFile,
  reportInput,
  stepOf,
} from "./report-search.ts";

/** 00:15 in Kathmandu on Saturday, 28 November. */
const NOW = Date.UTC(2026, 10, 27, 18, 30);

it("turns presets into dates, weeks from Monday to Sunday", () => {
  const today = dayOfDate("2026-11-27") ?? 0;

  expect(
    Object.fromEntries(PRESETS.map((preset) => [preset, Object.values(datesOf(preset, today))])),
  ).toEqual({
    "last-7-days": ["2026-11-21", "2026-11-27"],
    "last-week": ["2026-11-16", "2026-11-22"],
    "last-30-days": ["2026-10-29", "2026-11-27"],
    "last-90-days": ["2026-08-30", "2026-11-27"],
    "this-month": ["2026-11-01", "2026-11-27"],
    "last-month": ["2026-10-01", "2026-10-31"],
    "this-year": ["2026-01-01", "2026-11-27"],
  });
});

it.each([
  [{}, {}],
  [{ period: "last-30-days", compare: "previous", sort: "impressions", page: 1 }, {}],
  [{ period: "toString", by: "quarter-hour", split: "constructor", zone: "Mars/Olympus", page: {} }, {}],
  [{ from: "2026-02-29", to: "2026-03-01", period: "last-week" }, { period: "last-week" }],
  [
    { from: "2026-02-28", to: "2026-03-01", period: "last-week" },
    { from: "2026-02-28", to: "2026-03-01" },
  ],
  [{ split: "ad,ad,tier,source" }, { split: "ad,tier" }],
  [
    { ad: "ad_1,<b>", verdict: "bot,none" },
    { ad: "ad_1", verdict: "bot" },
  ],
  [{ compare: "none", weekdays: "same" }, { compare: "none" }],
  [
    { placement: 5, path: "/a%2Cb,,/c", device: "phone,toaster" },
    { placement: "5", path: "/a%2Cb,/c", device: "phone" },
  ],
])("reads %j as %j", (given, read) => {
  expect(readReportSearch(given)).toEqual(read);
});

it("returns to the first page with every change, and keeps the rest", () => {
  expect(changeReport({ split: "ad", page: 3 }, { sort: "clicks" })).toEqual({ split: "ad", sort: "clicks" });
  expect(changeReport({ split: "ad" }, { page: 2 })).toEqual({ split: "ad", page: 2 });
});

it("keeps values that have commas apart, in its address and in the file's", () => {
  const search = narrowTo({ split: "path" }, "path", "/a,b%2Cc");
  const input = reportInput("ws_1", { ...search, placement: "side,bar" }, "UTC", NOW);

  expect(input).toMatchObject({ path: { is: ["/a,b%2Cc"] }, placement: { is: ["side", "bar"] } });
  expect(new URL(reportFile(input), "https://ads.example").searchParams.getAll("placement[is]")).toEqual([
    "side",
    "bar",
  ]);
});

it("narrows a report by what values are not, and by parts of paths", () => {
  const search = readReportSearch({
    country: "DE",
    "country.not": "FR,US",
    "path.has": "/blog/,/a%2Cb",
  });
  const input = reportInput("ws_1", search, "UTC", NOW);
  const file = new URL(reportFile(input), "https://ads.example").searchParams;

  expect(search).toEqual({ country: "DE", "country.not": "FR,US", "path.has": "/blog/,/a%2Cb" });
  expect(input).toMatchObject({
    country: { is: ["DE"], isNot: ["FR", "US"] },
    path: { contains: ["/blog/", "/a,b"] },
  });
  expect(file.getAll("country[isNot]")).toEqual(["FR", "US"]);
  expect(file.getAll("path[contains]")).toEqual(["/blog/", "/a,b"]);
});

it("narrows a report to a value in place of splitting by it", () => {
  expect(narrowTo({ split: "ad,source", page: 2 }, "ad", "ad_1")).toEqual({ split: "source", ad: "ad_1" });
});

it.each([
  [{}, 30, "day"],
  [{}, 365, "week"],
  [{}, 1000, "month"],
  [{ split: "ad" }, 30, "none"],
  [{ split: "ad", by: "week" }, 30, "week"],
  [{ by: "hour" }, 31, "hour"],
  [{ by: "hour" }, 32, "day"],
] satisfies [ReportSearch, number, string][])("splits %j of %d days by %s", (search, days, step) => {
  const from = new Date(Date.UTC(2026, 0, 1 - days + 1)).toISOString().slice(0, 10);

  expect(stepOf(search, { from, to: "2026-01-01" })).toBe(step);
});

it("asks for the days of the report's time zone, and for the same as a file", () => {
  const input = reportInput(
    "ws_1",
    { period: "this-month", split: "ad", tier: "a,b" },
    "Asia/Kathmandu",
    NOW,
  );

  expect(input).toMatchObject({ from: "2026-11-01", to: "2026-11-28", tier: { is: ["a", "b"] } });
  expect(decodeURIComponent(reportFile(input))).toBe(
    "/v1/workspaces/ws_1/reports.csv?from=2026-11-01&to=2026-11-28&timeZone=Asia/Kathmandu&granularity=none&sort=impressions&compare=previous&matchWeekday=no&groupBy=ad&tier[is]=a&tier[is]=b",
  );
});
