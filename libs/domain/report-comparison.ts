import {
  type Bucket,
  QUARTER_MS,
  type ReportPeriod,
  type Span,
  spanOfDays,
  spanOfLocal,
} from "./report-buckets.ts";
import { DAY_MS, dateOfDay, dayOfDate, firstInstantOf, localTimeAt, type Zone } from "./report-zone.ts";

/** What a report may be compared with. */
export const COMPARISONS = ["previous", "year", "none"] as const;
export type Compare = (typeof COMPARISONS)[number];

const DAYS_OF_WEEK = 7;
/** The whole weeks that are nearest to a year. */
const WEEKS_OF_YEAR = 52;

/** The earlier period of a comparison. */
export interface Comparison {
  /** Local days, both included. */
  readonly from: number;
  readonly to: number;
  /** As long as what has passed of the period; null if nothing has. */
  readonly span: Span | null;
  /** What a bucket is compared with; null if the bucket has not begun, or if the clocks skipped that time in the earlier period. */
  spanOf(bucket: Bucket): Span | null;
}

/** The day that a day is compared with. */
type Shift = (day: number) => number;

/**
 * What a period and its buckets are compared with: as many days before it, or the same dates a year earlier, where 29 February
 * becomes the 28th. With `matchWeekday` both are shifted by whole weeks, at least by the period, or by 52. A period and a bucket that
 * are not over are compared up to the same local time, to a quarter of an hour. Null for `none`.
 */
export function comparisonOf(
  zone: Zone,
  period: ReportPeriod,
  { compare, matchWeekday }: { readonly compare: Compare; readonly matchWeekday: boolean },
  now: number,
): Comparison | null {
  if (compare === "none") return null;
  const shift = shiftOf(compare, matchWeekday, period);
  const [from, to] = [shift(period.from), shift(period.to)];
  const elapsed = () => {
    const local = localTimeAt(zone, Math.floor(now / QUARTER_MS) * QUARTER_MS);
    const day = Math.floor(local / DAY_MS);
    return firstInstantOf(zone, shift(day) * DAY_MS + (local - day * DAY_MS));
  };
  const until = now < period.end ? elapsed() : Number.POSITIVE_INFINITY;
  const cut = (of: Span, earlier: Span) => {
    if (of.start > now) return null;
    return present({ start: earlier.start, end: of.end > now ? Math.min(earlier.end, until) : earlier.end });
  };
  return {
    from,
    to,
    span: cut(period, spanOfDays(zone, from, to)),
    spanOf: (bucket) => cut(bucket, earlierSpan(zone, bucket, shift)),
  };
}

function present(span: Span): Span | null {
  return span.end > span.start ? span : null;
}

/** The same local times on the shifted days. */
function earlierSpan(zone: Zone, { localStart, localEnd }: Bucket, shift: Shift): Span {
  const first = Math.floor(localStart / DAY_MS);
  const last = Math.floor((localEnd - 1) / DAY_MS);
  return spanOfLocal(
    zone,
    shift(first) * DAY_MS + (localStart - first * DAY_MS),
    shift(last) * DAY_MS + (localEnd - last * DAY_MS),
  );
}

function shiftOf(compare: "previous" | "year", matchWeekday: boolean, { from, to }: ReportPeriod): Shift {
  if (compare === "year" && !matchWeekday) return aYearBefore;
  const days = to - from + 1;
  const weeks = compare === "year" ? WEEKS_OF_YEAR : Math.ceil(days / DAYS_OF_WEEK);
  const by = matchWeekday ? weeks * DAYS_OF_WEEK : days;
  return (day) => day - by;
}

function aYearBefore(day: number): number {
  const date = dateOfDay(day);
  const year = Number(date.slice(0, 4)) - 1;
  const same = dayOfDate(`${year}${date.slice(4)}`);
  // 29 February.
  return same ?? aYearBefore(day - 1);
}
