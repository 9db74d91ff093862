/** UTC days from `from` to `to`, both included, as `2026-11-21`. */
export interface StatsWindow {
  readonly from: string;
  readonly to: string;
}

export interface Counts {
  readonly impressions: number;
  readonly clicks: number;
}

/** UTC has no daylight saving, and the epoch no leap seconds: every day is as long. */
const DAY_MS = 86_400_000;

/** The window of `days` (1 or more) UTC days that ends with the day of `now`, in milliseconds since the epoch. */
export function statsWindow(days: number, now: number): StatsWindow {
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) };
}

/**
 * One row for each day of the window, oldest first, zero where nothing was counted, with `date` at midnight UTC in ISO
 * 8601 with milliseconds, and the totals of the window. Counts of days outside the window are left out.
 */
export function fillDays(
  window: StatsWindow,
  counts: readonly (Counts & { readonly day: string })[],
): { rows: ({ date: string } & Counts)[]; totals: Counts } {
  const countsByDay = new Map(counts.map((count) => [count.day, count]));
  const rows: ({ date: string } & Counts)[] = [];
  let impressions = 0;
  let clicks = 0;
  const last = Date.parse(window.to);
  for (let midnight = Date.parse(window.from); midnight <= last; midnight += DAY_MS) {
    const date = new Date(midnight).toISOString();
    const count = countsByDay.get(dayOf(midnight));
    rows.push({ date, impressions: count?.impressions ?? 0, clicks: count?.clicks ?? 0 });
    impressions += count?.impressions ?? 0;
    clicks += count?.clicks ?? 0;
  }
  return { rows, totals: { impressions, clicks } };
}

/** The UTC day of an instant, as `2026-11-21`. */
export function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
