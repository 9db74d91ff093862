import { DAY_MS, dateOfDay } from "#libs/domain/report-zone.ts";

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

/** The dates of a preset. `today` is the local day, as its number since 1970-01-01. Weeks begin on Monday. */
export function datesOf(preset: Preset, today: number): Dates {
  switch (preset) {
    case "last-7-days":
      return dates(today - 6, today);
    case "last-week": {
      const monday = today - ((new Date(today * DAY_MS).getUTCDay() + 6) % 7);
      return dates(monday - 7, monday - 1);
    }
    case "last-30-days":
      return dates(today - 29, today);
    case "last-90-days":
      return dates(today - 89, today);
    case "this-month":
      return dates(firstOfMonth(today), today);
    case "last-month": {
      const first = firstOfMonth(today);
      return dates(firstOfMonth(first - 1), first - 1);
    }
    case "this-year":
      return { from: `${dateOfDay(today).slice(0, 4)}-01-01`, to: dateOfDay(today) };
  }
}

function dates(from: number, to: number): Dates {
  return { from: dateOfDay(from), to: dateOfDay(to) };
}

function firstOfMonth(day: number): number {
  return day - new Date(day * DAY_MS).getUTCDate() + 1;
}
