/** A month of UTC with its first and last day, as `2026-10`, `2026-10-01`, `2026-10-31`. */
export interface Month {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The month before the one of an instant, in milliseconds since the epoch. */
export function monthBefore(instant: number): Month {
  const date = new Date(instant);
  const day = (number: number, months: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, number)).toISOString().slice(0, 10);
  const from = day(1, -1);
  return { name: from.slice(0, 7), from, to: day(0, 0) };
}

/** The month of a name that `monthBefore` gave. */
export function monthNamed(name: string): Month {
  const [year = Number.NaN, month = Number.NaN] = name.split("-").map(Number);
  return monthBefore(Date.UTC(year, month, 1));
}
