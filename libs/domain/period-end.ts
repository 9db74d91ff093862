const DAY_MS = 86_400_000;

/** A billing period as Stripe writes it. */
interface Recurring {
  readonly interval: string;
  readonly interval_count: number;
}

/**
 * The end of the n-th period after an anchor, both in seconds. Months and years end on the anchor's day, or on the month's
 * last. Each end is counted from the anchor: 31 January is followed by 28 February, and that by 31 March.
 */
export function periodEnd(anchor: number, { interval, interval_count }: Recurring, periods = 1): number {
  const steps = interval_count * periods;
  const from = new Date(anchor * 1000);
  if (interval === "day") return anchor + (steps * DAY_MS) / 1000;
  if (interval === "week") return anchor + (steps * 7 * DAY_MS) / 1000;
  const months = interval === "month" ? steps : steps * 12;
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const midnight = Date.UTC(from.getUTCFullYear(), month, day);
  return (midnight + (from.getTime() % DAY_MS)) / 1000;
}
