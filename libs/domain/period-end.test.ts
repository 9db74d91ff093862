import fc from "fast-check";
import { expect, it } from "vitest";
import { periodEnd } from "./period-end.ts";

const seconds = (text: string) => Date.parse(text) / 1000;

it.each([
  ["2026-01-31T10:00:00Z", "month", 1, 1, "2026-02-28T10:00:00Z"],
  ["2026-01-31T10:00:00Z", "month", 1, 2, "2026-03-31T10:00:00Z"],
  ["2028-01-30T00:00:00Z", "month", 1, 1, "2028-02-29T00:00:00Z"],
  ["2028-02-29T23:59:59Z", "year", 1, 1, "2029-02-28T23:59:59Z"],
  ["2028-02-29T23:59:59Z", "year", 1, 4, "2032-02-29T23:59:59Z"],
  ["2026-11-30T06:30:15Z", "month", 3, 1, "2027-02-28T06:30:15Z"],
  ["2026-03-28T01:30:00Z", "day", 1, 1, "2026-03-29T01:30:00Z"],
  ["2026-12-31T12:00:00Z", "week", 2, 1, "2027-01-14T12:00:00Z"],
] as const)("counts from %s by %s × %i, %i times, to %s", (anchor, interval, count, periods, end) => {
  const reached = periodEnd(seconds(anchor), { interval, interval_count: count }, periods);

  expect(reached).toBe(seconds(end));
});

const anchors = fc.integer({ min: seconds("2000-01-01"), max: seconds("2099-12-31") });

it("ends a run of months in the month that calendars say, on the anchor's day or the month's last", () => {
  fc.assert(
    fc.property(
      anchors,
      fc.integer({ min: 1, max: 36 }),
      fc.integer({ min: 1, max: 40 }),
      (anchor, count, n) => {
        const from = new Date(anchor * 1000);
        const end = new Date(periodEnd(anchor, { interval: "month", interval_count: count }, n) * 1000);

        const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        const nextDay = new Date(end.getTime() + 86_400_000);
        expect(months(end) - months(from)).toBe(count * n);
        expect(end.toISOString().slice(11)).toBe(from.toISOString().slice(11));
        expect(end.getUTCDate() === from.getUTCDate() || nextDay.getUTCDate() === 1).toBe(true);
        expect(end.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate());
      },
    ),
  );
});

it("lets no period be empty, whatever the interval", () => {
  const intervals = fc.constantFrom("day" as const, "week" as const, "month" as const, "year" as const);
  fc.assert(
    fc.property(
      anchors,
      intervals,
      fc.integer({ min: 1, max: 3 }),
      fc.nat(30),
      (anchor, interval, count, n) => {
        const earlier = periodEnd(anchor, { interval, interval_count: count }, n);
        const later = periodEnd(anchor, { interval, interval_count: count }, n + 1);

        expect(later).toBeGreaterThan(earlier);
      },
    ),
  );
});
