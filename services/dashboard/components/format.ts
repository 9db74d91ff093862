import { formatMoney as formatMoneyFor } from "#libs/domain/money.ts";
import { everyPeriod, type Period } from "#libs/domain/period-words.ts";

/** The language of the pages, and so of their numbers and dates. */
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

/** 0.0184 is `1.84%`. Zero of zero is a dash. */
export function formatPercent(share: number): string {
  return Number.isFinite(share) ? percents.format(share) : "–";
}

/** The share of impressions that were clicked; a dash where there were none. */
export function formatClickRate({ impressions, clicks }: { impressions: number; clicks: number }): string {
  return formatPercent(clicks / impressions);
}

/** `1 click`, `2 clicks`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The day of a timestamp in the reader's time zone: `Nov 21, 2026`. */
export function formatDate(iso: string): string {
  return dates.format(new Date(iso));
}

/** The time since a timestamp in its largest unit, at least a minute: `3 hours`. `now` is in epoch milliseconds. */
export function formatWait(iso: string, now: number): string {
  const minutes = Math.max(1, Math.floor((now - Date.parse(iso)) / 60_000));
  if (minutes < 60) return formatCounted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? formatCounted(hours, "hour") : formatCounted(Math.floor(hours / 24), "day");
}

/** Day and time of a timestamp in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moments.format(new Date(iso));
}

/** A day of the stats, which are days in UTC: `Nov 21`. */
export function formatStatsDay(iso: string): string {
  return utcDays.format(new Date(iso));
}

interface Price extends Period {
  readonly amount: number;
  readonly currency: string;
}

/** `$49.00/month`, `$120.00 every 3 months`; `Free` for nothing. */
export function priceWords(price: Price): string {
  if (price.amount === 0) return "Free";
  return `${formatMoney(price.amount, price.currency)}${everyPeriod(price)}`;
}
