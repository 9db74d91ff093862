import fc from "fast-check";
import { expect, it } from "vitest";
import { fillDays, statsWindow } from "./stats-window.ts";

const DAY = 86_400_000;
const anInstant = fc.integer({ min: 0, max: Date.UTC(9998, 0) });

it("ends with today, from its first millisecond to its last", () => {
  expect(statsWindow(1, Date.parse("2026-11-21T00:00:00.000Z"))).toEqual({
    from: "2026-11-21",
    to: "2026-11-21",
  });
  expect(statsWindow(30, Date.parse("2026-11-21T23:59:59.999Z"))).toEqual({
    from: "2026-10-23",
    to: "2026-11-21",
  });
  expect(statsWindow(2, Date.parse("2024-03-01T12:00:00.000Z")).from).toBe("2024-02-29");
});

it("fills the days without a count with zeros, oldest first, and sums the window alone", () => {
  const { rows, totals } = fillDays({ from: "2026-11-19", to: "2026-11-21" }, [
    { day: "2026-11-21", impressions: 7, clicks: 1 },
    { day: "2026-11-19", impressions: 5, clicks: 0 },
    { day: "2026-11-18", impressions: 1_000, clicks: 1_000 },
  ]);

  expect(rows).toEqual([
    { date: "2026-11-19T00:00:00.000Z", impressions: 5, clicks: 0 },
    { date: "2026-11-20T00:00:00.000Z", impressions: 0, clicks: 0 },
    { date: "2026-11-21T00:00:00.000Z", impressions: 7, clicks: 1 },
  ]);
  expect(totals).toEqual({ impressions: 12, clicks: 1 });
});

it("has for any instant as many rows as days asked for, one midnight after the other", () => {
  fc.assert(
    fc.property(anInstant, fc.integer({ min: 1, max: 365 }), (now, days) => {
      const { rows } = fillDays(statsWindow(days, now), []);

      const midnights = rows.map(({ date }) => Date.parse(date));
      expect(midnights).toEqual(
        Array.from({ length: days }, (_, index) => (Math.floor(now / DAY) - days + 1 + index) * DAY),
      );
      expect(rows.every(({ date }) => date.endsWith("T00:00:00.000Z"))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it("loses and invents nothing of what was counted", () => {
  const counted = fc.uniqueArray(
    fc.record({ ago: fc.nat(364), impressions: fc.nat(1e6), clicks: fc.nat(1e4) }),
    { selector: ({ ago }) => ago, maxLength: 40 },
  );

  fc.assert(
    fc.property(anInstant, counted, (now, counts) => {
      fc.pre(now > 365 * DAY);
      const days = counts.map(({ ago, ...count }) => ({
        day: new Date(now - ago * DAY).toISOString().slice(0, 10),
        ...count,
      }));

      const { rows, totals } = fillDays(statsWindow(365, now), days);

      const seen = rows.filter(({ impressions, clicks }) => impressions + clicks > 0).length;
      expect(seen).toBe(counts.filter(({ impressions, clicks }) => impressions + clicks > 0).length);
      expect(totals).toEqual({
        impressions: counts.reduce((sum, { impressions }) => sum + impressions, 0),
        clicks: counts.reduce((sum, { clicks }) => sum + clicks, 0),
      });
    }),
    { numRuns: 200 },
  );
});
