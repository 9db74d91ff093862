import { isFirst } from "#libs/domain/report-buckets.ts";
import type { Compare } from "#libs/domain/report-comparison.ts";
import { dateOfDay, dayOfDate, localDayAt, zoneNamed } from "#libs/domain/report-zone.ts";

/** The periods that a click chooses. */
export const PRESETS = [
  "last-7-days",
  "last-week",
  "last-30-days",
  "last-90-days",
  "this-month",
  "last-month",
  "this-year",
] as const;
export type Preset = (typeof PRESETS)[number];

export const USUAL_PRESET: Preset = "last-30-days";
export const USUAL_COMPARISON: Compare = "previous";

export const PRESET_WORDS: Readonly<Record<Preset, string>> = {
  "last-7-days": "Last 7 days",
  "last-week": "Last week",
  "last-30-days": "Last 30 days",
  "last-90-days": "Last 90 days",
  "this-month": "This month",
  "last-month": "Last month",
  "this-year": "This year",
};

/** Dates such as `2026-11-21`, both included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Whether a period was over at an instant, in epoch milliseconds. */
export function isOver(
  { to, timeZone }: { readonly to: string; readonly timeZone: string },
  instant: number,
): boolean {
  const zone = zoneNamed(timeZone);
  return zone !== null && localDayAt(zone, instant) > (dayOfDate(to) ?? 0);
}

/** The dates of a preset. `today` is the local day, as its number since 1970-01-01. Weeks begin on Monday. */
export function datesOf(preset: Preset, today: number): Dates {
  switch (preset) {
    case "last-7-days":
      return dates(today - 6, today);
    case "last-week": {
      const monday = firstOf("week", today);
      return dates(monday - 7, monday - 1);
    }
    case "last-30-days":
      return dates(today - 29, today);
    case "last-90-days":
      return dates(today - 89, today);
    case "this-month":
      return dates(firstOf("month", today), today);
    case "last-month": {
      const first = firstOf("month", today);
      return dates(firstOf("month", first - 1), first - 1);
    }
    case "this-year":
      return { from: `${dateOfDay(today).slice(0, 4)}-01-01`, to: dateOfDay(today) };
  }
}

function dates(from: number, to: number): Dates {
  return { from: dateOfDay(from), to: dateOfDay(to) };
}

/** The first day of the week or month of a day. */
function firstOf(granularity: "week" | "month", day: number): number {
  return isFirst(day, granularity) ? day : firstOf(granularity, day - 1);
}
