import { clickRateOf } from "#libs/domain/click-rate.ts";
import { formatMoney as formatMoneyFor } from "#libs/domain/money.ts";
import type { ComparedPrice } from "#libs/domain/price-choice.ts";
import { priceWords as priceWordsFor } from "#libs/domain/price-words.ts";

/** The language of the pages, and so of their numbers. */
const LOCALE = "en-US";
const DATES = dateLocale(globalThis.navigator?.language);

const counts = new Intl.NumberFormat(LOCALE);
const shortCounts = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const dates = new Intl.DateTimeFormat(DATES, { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat(DATES, { dateStyle: "medium", timeStyle: "short" });
const zoned = new Intl.DateTimeFormat(DATES, { dateStyle: "medium", timeStyle: "long" });
const utcDays = new Intl.DateTimeFormat(DATES, { month: "short", day: "numeric", timeZone: "UTC" });
const utcDates = new Intl.DateTimeFormat(DATES, { dateStyle: "medium", timeZone: "UTC" });
/** From here on, axes shorten. */
const SHORT_FROM = 10_000;

/** The locale of dates: English, as the pages are, in the order and with the clock of the reader's region. */
export function dateLocale(language: string | undefined): string {
  try {
    const { region } = new Intl.Locale(language ?? LOCALE).maximize();
    return region === undefined ? LOCALE : `en-${region}`;
  } catch {
    return LOCALE;
  }
}

/** An amount in the currency's smallest unit: 4900 `usd` is `$49.00`. */
export function formatMoney(amount: number, currency: string): string {
  return formatMoneyFor(amount, currency, LOCALE);
}

/** 12345 is `12,345`. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** 1500 is `1,500` and 15000 is `15K`, for axes. */
export function formatAxisCount(count: number): string {
  return count < SHORT_FROM ? formatCount(count) : shortCounts.format(count);
}

/** 0.02 is `2.00%`: always two decimals, so that columns line up. Zero of zero is a dash. */
export function formatPercent(share: number): string {
  return Number.isFinite(share) ? percents.format(share) : "–";
}

/** The share of impressions that were clicked; a dash below 100 impressions. */
export function formatClickRate(counted: { readonly impressions: number; readonly clicks: number }): string {
  const rate = clickRateOf(counted);
  return rate === null ? "–" : formatPercent(rate);
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

/** The same with the name of the time zone, to the second. */
export function formatZoned(iso: string): string {
  return zoned.format(new Date(iso));
}

/** A day of the stats, which are days in UTC: `Nov 21`, or `Nov 21, 2026`. */
export function formatStatsDay(iso: string, withYear = false): string {
  return (withYear ? utcDates : utcDays).format(new Date(iso));
}

/** `$49/month`, `$120 every 3 months`; `Free` for nothing. */
export function priceWords(price: ComparedPrice): string {
  return priceWordsFor(price, LOCALE);
}
