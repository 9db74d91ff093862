import type { ProcessorTime } from "./moment.ts";

/** UTC months as `2026-11`, or UTC days as `2026-11-21`, from the first to the last, both included. */
export interface RevenueWindow {
  readonly of: "months" | "days";
  readonly periods: readonly string[];
  /** The first instant of the first period, and the first after the last one; milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

/** What came in and went back in a month or a day, in the smallest unit of one currency. */
export interface Revenue {
  /** What was paid, before refunds. */
  readonly gross: number;
  /** What was given back in it, whenever it had been paid. */
  readonly refunded: number;
  /** Gross less refunded: negative where more went back than came in. */
  readonly net: number;
  /** How many invoices were paid. */
  readonly invoices: number;
}

/** The known sums of one period and currency; a missing one is zero. */
export interface RevenueFact extends Partial<Omit<Revenue, "net">> {
  readonly period: string;
  readonly currency: string;
}

/** UTC has no daylight saving, and the epoch no leap seconds: every day is as long. */
const DAY_MS = 86_400_000;

/** The first instant of a month as `2026-11`, in milliseconds since the epoch; `later` months later. */
export function startOfMonth(month: string, later = 0): number {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return Date.UTC(year, number - 1 + later, 1);
}

/** The first instant of a UTC month or day, as `2026-11` or `2026-11-21`, in milliseconds since the epoch. */
export function startOfPeriod(period: string): number {
  return period.length > MONTH_LENGTH ? Date.parse(`${period}T00:00:00Z`) : startOfMonth(period);
}

/** The first instant after a UTC month or day. */
export function endOfPeriod(period: string): number {
  return period.length > MONTH_LENGTH ? startOfPeriod(period) + DAY_MS : startOfMonth(period, 1);
}

/** Whether a text that looks like a month or a day is one: there is no February 30. */
export function isPeriod(period: string): boolean {
  const start = startOfPeriod(period);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(period);
}

const MONTH_LENGTH = "2026-11".length;

/** The window of `count` (1 or more) UTC months that ends with the month of `now`. */
export function revenueWindow(count: number, now: ProcessorTime): RevenueWindow {
  const current = monthOf(now);
  const periods = Array.from({ length: count }, (_one, n) => monthOf(startOfMonth(current, n + 1 - count)));
  return { of: "months", periods, from: startOfMonth(current, 1 - count), until: startOfMonth(current, 1) };
}

/** The window of `count` (1 or more) UTC days that ends with the day of `now`. */
export function revenueDays(count: number, now: ProcessorTime): RevenueWindow {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const from = today - (count - 1) * DAY_MS;
  const periods = Array.from({ length: count }, (_one, n) => dayOf(from + n * DAY_MS));
  return { of: "days", periods, from, until: today + DAY_MS };
}

/**
 * For each currency one row a period of the window, oldest first, zero where nothing happened, with the totals of the
 * window. `home`, what the workspace bills in, comes first whether or not anything happened in it, the others by name.
 * Currencies are never added up.
 */
export function fillPeriods(window: RevenueWindow, facts: readonly RevenueFact[], home: string) {
  const others = new Set(facts.map(({ currency }) => currency).filter((currency) => currency !== home));
  return [home, ...[...others].sort()].map((currency) => {
    const known = Map.groupBy(
      facts.filter((fact) => fact.currency === currency),
      ({ period }) => period,
    );
    const rows = window.periods.map((period) => ({ period, ...addUp(known.get(period) ?? []) }));
    return { currency, rows, totals: addUp(rows) };
  });
}

function addUp(parts: readonly Partial<Omit<Revenue, "net">>[]): Revenue {
  const sum = (of: "gross" | "refunded" | "invoices") =>
    Math.min(
      parts.reduce((total, part) => total + (part[of] ?? 0), 0),
      Number.MAX_SAFE_INTEGER,
    );
  const gross = sum("gross");
  const refunded = sum("refunded");
  return { gross, refunded, net: gross - refunded, invoices: sum("invoices") };
}

function monthOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 7);
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
