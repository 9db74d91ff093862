import fc from "fast-check";
import { expect, it } from "vitest";
import { fillMonths, revenueWindow, startOfMonth } from "./revenue.ts";

const NOW = Date.parse("2026-01-31T23:59:59.999Z");
const nothing = { gross: 0, refunded: 0, net: 0, invoices: 0 };

it("ends with the current UTC month, over the turn of a year", () => {
  const window = revenueWindow(3, NOW);

  expect(window.months).toEqual(["2025-11", "2025-12", "2026-01"]);
  expect(new Date(window.from).toISOString()).toBe("2025-11-01T00:00:00.000Z");
  expect(new Date(window.until).toISOString()).toBe("2026-02-01T00:00:00.000Z");
});

it("has as many months as are asked for, each right after the one before, at any time", () => {
  const time = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2099-12-31") });

  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), time, (count, now) => {
      const { months, from, until } = revenueWindow(count, now);

      expect(months).toHaveLength(count);
      expect(months.map((month) => startOfMonth(month, 1)).slice(0, -1)).toEqual(
        months.slice(1).map((month) => startOfMonth(month)),
      );
      expect([from, until]).toEqual([startOfMonth(months[0] ?? ""), startOfMonth(months.at(-1) ?? "", 1)]);
      expect(from <= now && now < until).toBe(true);
    }),
  );
});

it("shows what the workspace bills in first and at zero, where nothing was sold", () => {
  expect(fillMonths(revenueWindow(2, NOW), [], "usd")).toEqual([
    {
      currency: "usd",
      rows: [
        { month: "2025-12", ...nothing },
        { month: "2026-01", ...nothing },
      ],
      totals: nothing,
    },
  ]);
});

it("keeps currencies apart, and takes refunds off in the month in which they are made", () => {
  const shown = fillMonths(
    revenueWindow(2, NOW),
    [
      { month: "2025-12", currency: "jpy", gross: 500, invoices: 1 },
      { month: "2025-12", currency: "usd", gross: 4900, invoices: 1 },
      { month: "2026-01", currency: "usd", refunded: 4900 },
      { month: "2026-01", currency: "eur", gross: 700, invoices: 2 },
      { month: "2026-01", currency: "eur", refunded: 100 },
    ],
    "usd",
  );

  expect(shown.map(({ currency }) => currency)).toEqual(["usd", "eur", "jpy"]);
  expect(shown[0]?.rows).toEqual([
    { month: "2025-12", gross: 4900, refunded: 0, net: 4900, invoices: 1 },
    { month: "2026-01", gross: 0, refunded: 4900, net: -4900, invoices: 0 },
  ]);
  expect(shown[0]?.totals).toEqual({ gross: 4900, refunded: 4900, net: 0, invoices: 1 });
  expect(shown[1]?.totals).toEqual({ gross: 700, refunded: 100, net: 600, invoices: 2 });
});

it("stays with numbers that JSON carries exactly", () => {
  const fact = { currency: "usd", gross: Number.MAX_SAFE_INTEGER, invoices: 1 };

  const [usd] = fillMonths(
    revenueWindow(2, NOW),
    [
      { month: "2025-12", ...fact },
      { month: "2026-01", ...fact },
    ],
    "usd",
  );

  expect(usd?.totals.gross).toBe(Number.MAX_SAFE_INTEGER);
});
