import fc from "fast-check";
import { expect, it } from "vitest";
import { processorTime } from "./moment.ts";
import { fillPeriods, revenueDays, revenueWindow, startOfMonth } from "./revenue.ts";

const NOW = processorTime(Date.parse("2026-01-31T23:59:59.999Z"));
const nothing = { gross: 0, refunded: 0, net: 0, invoices: 0 };

it("ends with the current UTC month, over the turn of a year", () => {
  const window = revenueWindow(3, NOW);

  expect(window.periods).toEqual(["2025-11", "2025-12", "2026-01"]);
  expect(new Date(window.from).toISOString()).toBe("2025-11-01T00:00:00.000Z");
  expect(new Date(window.until).toISOString()).toBe("2026-02-01T00:00:00.000Z");
});

it("has as many months as are asked for, each right after the one before, at any time", () => {
  const time = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2099-12-31") });

  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), time, (count, now) => {
      const { periods, from, until } = revenueWindow(count, processorTime(now));

      expect(periods).toHaveLength(count);
      expect(periods.map((month) => startOfMonth(month, 1)).slice(0, -1)).toEqual(
        periods.slice(1).map((month) => startOfMonth(month)),
      );
      expect([from, until]).toEqual([startOfMonth(periods[0] ?? ""), startOfMonth(periods.at(-1) ?? "", 1)]);
      expect(from <= now && now < until).toBe(true);
    }),
  );
});

it("has as many days as are asked for, the last of them the current one of UTC", () => {
  const window = revenueDays(3, processorTime(Date.parse("2026-03-01T23:59:59.999Z")));

  expect(window).toEqual({
    of: "days",
    periods: ["2026-02-27", "2026-02-28", "2026-03-01"],
    from: Date.parse("2026-02-27T00:00:00.000Z"),
    until: Date.parse("2026-03-02T00:00:00.000Z"),
  });
});

it("shows what the workspace bills in first and at zero, where nothing was sold", () => {
  expect(fillPeriods(revenueWindow(2, NOW), [], "usd")).toEqual([
    {
      currency: "usd",
      rows: [
        { period: "2025-12", ...nothing },
        { period: "2026-01", ...nothing },
      ],
      totals: nothing,
    },
  ]);
});

it("keeps currencies apart, and takes refunds off in the month in which they are made", () => {
  const shown = fillPeriods(
    revenueWindow(2, NOW),
    [
      { period: "2025-12", currency: "jpy", gross: 500, invoices: 1 },
      { period: "2025-12", currency: "usd", gross: 4900, invoices: 1 },
      { period: "2026-01", currency: "usd", refunded: 4900 },
      { period: "2026-01", currency: "eur", gross: 700, invoices: 2 },
      { period: "2026-01", currency: "eur", refunded: 100 },
    ],
    "usd",
  );

  expect(shown.map(({ currency }) => currency)).toEqual(["usd", "eur", "jpy"]);
  expect(shown[0]?.rows).toEqual([
    { period: "2025-12", gross: 4900, refunded: 0, net: 4900, invoices: 1 },
    { period: "2026-01", gross: 0, refunded: 4900, net: -4900, invoices: 0 },
  ]);
  expect(shown[0]?.totals).toEqual({ gross: 4900, refunded: 4900, net: 0, invoices: 1 });
  expect(shown[1]?.totals).toEqual({ gross: 700, refunded: 100, net: 600, invoices: 2 });
});

it("stays with numbers that JSON carries exactly", () => {
  const fact = { currency: "usd", gross: Number.MAX_SAFE_INTEGER, invoices: 1 };

  const [usd] = fillPeriods(
    revenueWindow(2, NOW),
    [
      { period: "2025-12", ...fact },
      { period: "2026-01", ...fact },
    ],
    "usd",
  );

  expect(usd?.totals.gross).toBe(Number.MAX_SAFE_INTEGER);
});
