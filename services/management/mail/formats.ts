import { clickRateOf } from "#libs/domain/click-rate.ts";
import { formatMoney, formatShortMoney } from "#libs/domain/money.ts";
import type { ComparedPrice } from "#libs/domain/price-choice.ts";
import { priceWords } from "#libs/domain/price-words.ts";

/** The language of everything that advertisers and publishers read by email or on our pages. */
export const LOCALE = "en";

const COUNT = new Intl.NumberFormat(LOCALE);
const SHARE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long", timeZone: "UTC" });
const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });
const CHANGE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const TIME = new Intl.DateTimeFormat(LOCALE, {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
  timeZoneName: "short",
});
const MONTH = new Intl.DateTimeFormat(LOCALE, { year: "numeric", month: "long", timeZone: "UTC" });

/** How numbers, money and dates are written. Days are in UTC. */
export const formats = {
  /** An amount in the currency's smallest unit. */
  money: (amount: number, currency: string) => formatMoney(amount, currency, LOCALE),
  /** The amount of a price, without empty decimals: `$49`. */
  priceAmount: (amount: number, currency: string) => formatShortMoney(amount, currency, LOCALE),
  /** `$49/month`, `$120 every 3 months`; `Free` for nothing. */
  price: (price: ComparedPrice) => priceWords(price, LOCALE),
  count: (count: number) => COUNT.format(count),
  /** The share of impressions that were clicked in percent, always with two decimals; a dash below 100 impressions. */
  clickRate: (counted: { readonly impressions: number; readonly clicks: number }) => {
    const rate = clickRateOf(counted);
    return rate === null ? "–" : SHARE.format(rate);
  },
  /** `+12.5%` for 0.125. */
  change: (share: number) => CHANGE.format(share),
  day: (date: Date) => DAY.format(date),
  /** Where the year is known: `Nov 21`. */
  shortDay: (date: Date) => SHORT_DAY.format(date),
  /** Where the hour matters: `December 1, 2026 at 06:17 UTC`. */
  time: (date: Date) => TIME.format(date),
  /** The name of a month such as `2026-10`. */
  month: (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`)),
};
