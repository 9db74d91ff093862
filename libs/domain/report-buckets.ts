import {
  DAY_MS,
  dateOfDay,
  dayOfDate,
  firstInstantOf,
  localDayAt,
  localTimeAt,
  startOfDay,
  type Zone,
} from "./report-zone.ts";

/** What a report may be split into by time; the names go from the finest to the coarsest. */
export const GRANULARITIES = ["quarter-hour", "hour", "day", "week", "month", "none"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Events are counted per 15 minutes, of which the offsets of all zones in use are multiples. */
export const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;

/** The most days of a report: three years, a leap day included. */
export const MOST_REPORT_DAYS = 1_096;
/** The most days by hour or quarter of an hour. */
export const MOST_DAYS_BY_HOUR = 31;
const USUAL_DAYS = 30;
/** The first and last day that reports take: outside of them no event can be stored. */
const FIRST_DATE = "2020-01-01";
const LAST_DATE = "2099-12-31";

/** From `start` on, before `end`, in milliseconds since the epoch. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Local days from `from` to `to`, both included. */
export interface ReportPeriod extends Span {
  readonly from: number;
  readonly to: number;
}

/** A part of a period, with its local times, in milliseconds as if they were UTC. */
export interface Bucket extends Span {
  readonly localStart: number;
  readonly localEnd: number;
}

/** Why a period is refused: the parameter and a sentence. */
export interface PeriodProblem {
  readonly at: "from" | "to" | "granularity";
  readonly sentence: string;
}

/**
 * The period from one date to another in a zone. Without `to` it ends today, without `from` it has 30 days. Answers the problem
 * where it ends before it begins or is too long for its granularity.
 */
export function reportPeriod(
  zone: Zone,
  dates: { readonly from?: string | undefined; readonly to?: string | undefined },
  granularity: Granularity,
  now: number,
): ReportPeriod | PeriodProblem {
  const to = dates.to === undefined ? localDayAt(zone, now) : dayOfDate(dates.to);
  if (to === null || isOutside(dates.to)) return noDate("to");
  const from = dates.from === undefined ? to - USUAL_DAYS + 1 : dayOfDate(dates.from);
  if (from === null || isOutside(dates.from)) return noDate("from");
  if (to < from) return { at: "to", sentence: "Must not be before the first day." };
  const days = to - from + 1;
  if (days > MOST_REPORT_DAYS) {
    return { at: "from", sentence: `A report has at most ${MOST_REPORT_DAYS} days: three years.` };
  }
  if (isWithinDays(granularity) && days > MOST_DAYS_BY_HOUR) {
    const sentence = `Reports by hour or quarter of an hour have at most ${MOST_DAYS_BY_HOUR} days.`;
    return { at: "granularity", sentence };
  }
  return { from, to, ...spanOfDays(zone, from, to) };
}

function isOutside(date: string | undefined): boolean {
  return date !== undefined && (date < FIRST_DATE || date > LAST_DATE);
}

function noDate(at: "from" | "to"): PeriodProblem {
  return { at, sentence: `Must be a date from ${FIRST_DATE} to ${LAST_DATE}.` };
}

/** The first local day of which all events are within the last `days` UTC days. */
export function firstDayWithin(zone: Zone, days: number, now: number): number {
  const start = (Math.floor(now / DAY_MS) - days + 1) * DAY_MS;
  const day = localDayAt(zone, start);
  return startOfDay(zone, day) < start ? day + 1 : day;
}

/** Whether buckets are shorter than a day. */
export function isWithinDays(granularity: Granularity): boolean {
  return granularity === "hour" || granularity === "quarter-hour";
}

/** All instants of local days, both included. */
export function spanOfDays(zone: Zone, from: number, to: number): Span {
  return { start: startOfDay(zone, from), end: startOfDay(zone, to + 1) };
}

/**
 * The buckets of a period, in order and without gaps; `none` is one bucket. A week begins on Monday. The first and the last week or
 * month are cut where the period begins and ends. A local hour that the clocks repeat is two buckets.
 */
export function bucketsOf(zone: Zone, period: ReportPeriod, granularity: Granularity): Bucket[] {
  return isWithinDays(granularity)
    ? bucketsWithinDays(zone, period, granularity === "hour" ? HOUR_MS : QUARTER_MS)
    : bucketsOfDays(zone, period, granularity);
}

function bucketsOfDays(zone: Zone, { from, to, end }: ReportPeriod, granularity: Granularity): Bucket[] {
  const firsts: number[] = [];
  for (let day = from; day <= to; day += 1) if (day === from || isFirst(day, granularity)) firsts.push(day);
  const starts = firsts.map((day) => startOfDay(zone, day));
  return firsts.flatMap((day, index) => {
    const start = starts[index] ?? end;
    const bucket = {
      start,
      end: starts[index + 1] ?? end,
      localStart: day * DAY_MS,
      localEnd: (firsts[index + 1] ?? to + 1) * DAY_MS,
    };
    // A day that the calendar of a zone skipped has no instant.
    return bucket.end > start ? [bucket] : [];
  });
}

/** Whether a day is the first of its day, week or month. */
export function isFirst(day: number, granularity: Granularity): boolean {
  if (granularity === "day") return true;
  if (granularity === "week") return isMonday(day);
  return granularity === "month" && dateOfDay(day).endsWith("-01");
}

/** 1970-01-01 was a Thursday. */
function isMonday(day: number): boolean {
  return (((day + 3) % 7) + 7) % 7 === 0;
}

/** A bucket begins where the clocks show another hour, or quarter, than 15 minutes before, or were changed. */
function bucketsWithinDays(zone: Zone, { start, end }: ReportPeriod, length: number): Bucket[] {
  const buckets: Bucket[] = [];
  let unit = Number.NaN;
  let offset = Number.NaN;
  for (let instant = start; instant < end; instant += QUARTER_MS) {
    const local = localTimeAt(zone, instant);
    const [itsUnit, itsOffset] = [Math.floor(local / length), local - instant];
    const last = buckets.at(-1);
    if (last !== undefined && itsUnit === unit && itsOffset === offset) continue;
    if (last !== undefined) buckets[buckets.length - 1] = { ...last, end: instant };
    buckets.push({ start: instant, end, localStart: local, localEnd: (itsUnit + 1) * length });
    [unit, offset] = [itsUnit, itsOffset];
  }
  return buckets;
}

/** The instants between two local times, in the zone. */
export function spanOfLocal(zone: Zone, localStart: number, localEnd: number): Span {
  return { start: firstInstantOf(zone, localStart), end: firstInstantOf(zone, localEnd) };
}
