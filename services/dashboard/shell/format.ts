import { formatMoney as formatMoneyFor } from "#libs/domain/money.ts";

/** The pages' language, whose way of writing numbers and dates is used throughout. */
const LOCALE = "en-US";

const counts = new Intl.NumberFormat(LOCALE);
const shortCounts = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 2 });
const dates = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const utcDays = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });

/** An amount in the currency's smallest unit: 4900 `usd` is `$49.00`. */
export function formatMoney(amount: number, currency: string): string {
  return formatMoneyFor(amount, currency, LOCALE);
}

/** 12345 is `12,345`. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** 12345 is `12.3K`, for axes. */
export function formatShortCount(count: number): string {
  return shortCounts.format(count);
}

/** 0.0184 is `1.84%`; what is no number (nothing of nothing) is a dash. */
export function formatPercent(share: number): string {
  return Number.isFinite(share) ? percents.format(share) : "–";
}

/** The day of a timestamp where the reader is: `Nov 21, 2026`. */
export function formatDate(iso: string): string {
  return dates.format(new Date(iso));
}

/** Day and time of a timestamp where the reader is. */
export function formatMoment(iso: string): string {
  return moments.format(new Date(iso));
}

/** A day of the stats, which are days in UTC wherever the reader is: `Nov 21`. */
export function formatStatsDay(iso: string): string {
  return utcDays.format(new Date(iso));
}
