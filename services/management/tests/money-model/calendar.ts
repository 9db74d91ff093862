// Time of the model: whole seconds of UTC since the epoch.

export const HOUR = 3_600;
export const DAY = 24 * HOUR;

export const UNITS = ["Day", "Week", "Month", "Year"] as const;
export interface Rhythm {
  readonly interval: (typeof UNITS)[number];
  readonly intervalCount: number;
}

/** The end of the n-th period that is counted from `anchor`. A month without the anchor's day ends on its last one. */
export function nthEnd(anchor: number, { interval, intervalCount }: Rhythm, n: number): number {
  if (interval === "Day") return anchor + n * intervalCount * DAY;
  if (interval === "Week") return anchor + n * intervalCount * 7 * DAY;
  const months = n * intervalCount * (interval === "Year" ? 12 : 1);
  const date = new Date(anchor * 1000);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const first = date.getTime() / 1000;
  date.setUTCDate(wanted);
  if (date.getUTCDate() === wanted) return date.getTime() / 1000;
  // The day ran into the month after: back to the last of this one.
  date.setUTCDate(0);
  return Math.max(first, date.getTime() / 1000);
}

/** The first end of a period counted from `anchor` that comes after `moment`. */
export function endAfter(anchor: number, rhythm: Rhythm, moment: number): number {
  let n = 1;
  while (nthEnd(anchor, rhythm, n) <= moment) n += 1;
  return nthEnd(anchor, rhythm, n);
}

/** For people who read a history. */
export function shown(moment: number): string {
  return new Date(moment * 1000).toISOString().slice(0, 19).replace("T", " ");
}
