import { isFirst } from "./report-buckets.ts";
import { DAY_MS, dateOfDay, dayOfDate, firstInstantOf, localDayAt, type Zone } from "./report-zone.ts";

/** Reports that are sent by email: on Mondays about the week before, and on the first of a month about the month before. */
export const REPORT_EMAILS = ["week", "month"] as const;
export type ReportEmail = (typeof REPORT_EMAILS)[number];

/** What an advertiser may choose. */
export const ADVERTISER_REPORT_EMAILS = [...REPORT_EMAILS, "never"] as const;
export type AdvertiserReportEmail = (typeof ADVERTISER_REPORT_EMAILS)[number];

/** 06:00 in the workspace's time zone. */
const SENT_AT_MS = 6 * 3_600_000;
const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;

/** A week or month that a report by email is about. */
export interface EmailedPeriod {
  readonly kind: ReportEmail;
  /** The month, `2026-10`, or the Monday of the week, `2026-10-19`. */
  readonly name: string;
  /** The first and the last day, as `2026-10-01`. */
  readonly from: string;
  readonly to: string;
}

/** The weeks and months whose reports fell due in the hour up to `now`: at 06:00 local time on Mondays and on the first of a month. */
export function periodsDue(zone: Zone, now: number): EmailedPeriod[] {
  const days = new Set([localDayAt(zone, now - HOUR_MS), localDayAt(zone, now)]);
  const isDue = (day: number) => {
    const at = firstInstantOf(zone, day * DAY_MS + SENT_AT_MS);
    return at > now - HOUR_MS && at <= now;
  };
  return [...days]
    .filter(isDue)
    .flatMap((day) => REPORT_EMAILS.flatMap((kind) => (isFirst(day, kind) ? periodBefore(kind, day) : [])));
}

/** The week or month of that name; null for an invalid name. */
export function periodNamed(name: string): EmailedPeriod | null {
  const isMonth = name.length === "2026-10".length;
  const first = dayOfDate(isMonth ? `${name}-01` : name);
  if (first === null || !isFirst(first, isMonth ? "month" : "week")) return null;
  return isMonth ? periodBefore("month", firstOfNextMonth(first)) : periodBefore("week", first + WEEK_DAYS);
}

/** The period that ends with the day before `day`. */
function periodBefore(kind: ReportEmail, day: number): EmailedPeriod {
  const to = dateOfDay(day - 1);
  const from = kind === "week" ? dateOfDay(day - WEEK_DAYS) : `${to.slice(0, 7)}-01`;
  return { kind, name: kind === "week" ? from : from.slice(0, 7), from, to };
}

function firstOfNextMonth(first: number): number {
  const date = new Date(first * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}
