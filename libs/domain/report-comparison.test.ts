import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketsOf, type Granularity, reportPeriod, type Span } from "./report-buckets.ts";
import { type Compare, comparisonOf } from "./report-comparison.ts";
import { dateOfDay, dayOfDate, isoInZone, zoneNamed } from "./report-zone.ts";

interface Asked {
  readonly zone?: string;
  readonly from: string;
  readonly to: string;
  readonly granularity?: Granularity;
  readonly compare?: Compare;
  readonly matchWeekday?: boolean;
  /** Default: when all is over. */
  readonly now?: string;
}

function compared(asked: Asked) {
  const { zone: name = "UTC", from, to, granularity = "none", compare = "previous" } = asked;
  const zone = zoneNamed(name);
  if (zone === null) throw new Error(`there is no ${name}`);
  const now = Date.parse(asked.now ?? "2099-01-01T00:00:00Z");
  const period = reportPeriod(zone, { from, to }, granularity, now);
  if ("at" in period) throw new Error(period.sentence);
  const buckets = bucketsOf(zone, period, granularity);
  const { matchWeekday = false } = asked;
  const comparison = comparisonOf(zone, period, { compare, matchWeekday }, now);
  if (comparison === null) return null;
  const show = (span: Span | null) => span && [isoInZone(zone, span.start), isoInZone(zone, span.end)];
  return {
    period,
    buckets,
    comparison,
    dates: [dateOfDay(comparison.from), dateOfDay(comparison.to)],
    span: show(comparison.span),
    spans: buckets.map((bucket) => show(comparison.spanOf(bucket))),
  };
}

it.each([
  [{ from: "2026-11-01", to: "2026-11-10" }, ["2026-10-22", "2026-10-31"]],
  [{ from: "2026-11-01", to: "2026-11-10", matchWeekday: true }, ["2026-10-18", "2026-10-27"]],
  [{ from: "2026-11-02", to: "2026-11-08", matchWeekday: true }, ["2026-10-26", "2026-11-01"]],
  [{ from: "2024-02-01", to: "2024-02-29", compare: "year" }, ["2023-02-01", "2023-02-28"]],
  [{ from: "2025-02-28", to: "2025-03-01", compare: "year" }, ["2024-02-28", "2024-03-01"]],
  [{ from: "2026-11-02", to: "2026-11-08", compare: "year" }, ["2025-11-02", "2025-11-08"]],
  [
    { from: "2026-11-02", to: "2026-11-08", compare: "year", matchWeekday: true },
    ["2025-11-03", "2025-11-09"],
  ],
] as const)("compares %j with %j", (asked, dates) => {
  expect(compared(asked)?.dates).toEqual(dates);
});

it("compares with nothing unless asked to", () => {
  expect(compared({ from: "2026-11-01", to: "2026-11-10", compare: "none" })).toBeNull();
});

it("compares whole local days of 23, 24 and 25 hours", () => {
  const asked = { zone: "America/New_York", from: "2026-11-01", to: "2026-11-01" };

  expect(compared(asked)?.span).toEqual(["2026-10-31T00:00:00-04:00", "2026-11-01T00:00:00-04:00"]);
  expect(compared({ ...asked, from: "2026-11-02", to: "2026-11-02" })?.span).toEqual([
    "2026-11-01T00:00:00-04:00",
    "2026-11-02T00:00:00-05:00",
  ]);
});

it("compares a period that is not over up to the same local time, to a quarter of an hour", () => {
  const asked = { zone: "Asia/Kathmandu", from: "2026-11-26", to: "2026-11-28", granularity: "day" } as const;

  const today = compared({ ...asked, now: "2026-11-27T06:20:00Z" });

  expect(today?.span).toEqual(["2026-11-23T00:00:00+05:45", "2026-11-24T12:00:00+05:45"]);
  expect(today?.spans).toEqual([
    ["2026-11-23T00:00:00+05:45", "2026-11-24T00:00:00+05:45"],
    ["2026-11-24T00:00:00+05:45", "2026-11-24T12:00:00+05:45"],
    null,
  ]);
});

it("compares with nothing what has not begun", () => {
  const asked = {
    from: "2026-11-28",
    to: "2026-11-29",
    granularity: "day",
    now: "2026-11-27T12:00:00Z",
  } as const;

  expect(compared(asked)).toMatchObject({ span: null, spans: [null, null] });
});

it("compares the days of a leap February with the same dates, the 29th with the 28th", () => {
  const asked = { from: "2024-02-27", to: "2024-03-01", granularity: "day", compare: "year" } as const;

  expect(compared(asked)?.spans.map((span) => span?.[0]?.slice(0, 10))).toEqual([
    "2023-02-27",
    "2023-02-28",
    "2023-02-28",
    "2023-03-01",
  ]);
});

it("compares an hour with the same local hour, and with nothing if the clocks skipped it", () => {
  const asked = {
    zone: "America/New_York",
    from: "2026-03-09",
    to: "2026-03-09",
    granularity: "hour",
  } as const;

  const spans = compared(asked)?.spans;

  expect(spans?.[1]).toEqual(["2026-03-08T01:00:00-05:00", "2026-03-08T03:00:00-04:00"]);
  expect(spans?.[2]).toBeNull();
  expect(spans?.[3]).toEqual(["2026-03-08T03:00:00-04:00", "2026-03-08T04:00:00-04:00"]);
});

it("compares both times that an hour occurs with the same hour", () => {
  const asked = {
    zone: "America/New_York",
    from: "2026-11-01",
    to: "2026-11-01",
    granularity: "hour",
  } as const;

  const spans = compared(asked)?.spans;

  expect(spans?.[1]).toEqual(["2026-10-31T01:00:00-04:00", "2026-10-31T02:00:00-04:00"]);
  expect(spans?.[2]).toEqual(spans?.[1]);
});

it("compares each day, week and month with the dates that it is shifted to, as far as it is over", () => {
  const asked = fc.record({
    zone: fc.constantFrom("Asia/Kathmandu", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe"),
    granularity: fc.constantFrom<Granularity>("day", "week", "month", "none"),
    compare: fc.constantFrom<Compare>("previous", "year"),
    matchWeekday: fc.boolean(),
    first: fc.integer({ min: dayOfDate("2021-06-01") ?? 0, max: dayOfDate("2030-01-01") ?? 0 }),
    days: fc.integer({ min: 1, max: 90 }),
  });
  fc.assert(
    fc.property(asked, ({ first, days, ...rest }) => {
      const to = first + days - 1;
      const found = compared({ ...rest, from: dateOfDay(first), to: dateOfDay(to) });
      if (found === null) throw new Error("nothing was compared");
      const { zone: timeZone } = rest;
      const dateAt = (instant: number) => new Date(instant).toLocaleDateString("sv-SE", { timeZone });
      const datesOf = ({ start, end }: Span) => [dateAt(start), dateAt(end - 1)];
      const earlier = (date: string) => {
        const day = dayOfDate(date) ?? 0;
        const weeks = rest.matchWeekday ? Math.ceil(days / 7) * 7 : days;
        if (rest.compare === "previous") return dateOfDay(day - weeks);
        if (rest.matchWeekday) return dateOfDay(day - 364);
        return `${Number(date.slice(0, 4)) - 1}${date.slice(4).replace("-02-29", "-02-28")}`;
      };

      for (const bucket of found.buckets) {
        const span = found.comparison.spanOf(bucket);
        expect(span && datesOf(span)).toEqual(datesOf(bucket).map(earlier));
      }
      expect(found.comparison.span && datesOf(found.comparison.span)).toEqual(
        datesOf(found.period).map(earlier),
      );
    }),
  );
});
