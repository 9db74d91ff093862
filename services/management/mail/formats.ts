import { formatMoney, formatShortMoney } from "#libs/domain/money.ts";
import type { ComparedPrice } from "#libs/domain/price-choice.ts";
import { priceWords } from "#libs/domain/price-words.ts";

/** Of everything that advertisers and publishers read by email or on our pages. */
export const LOCALE = "en";

const COUNT = new Intl.NumberFormat(LOCALE);
const SHARE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long", timeZone: "UTC" });
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
  /** A part of a whole in percent, always with two decimals; a dash for a whole of zero. */
  share: (part: number, whole: number) => (whole === 0 ? "–" : SHARE.format(part / whole)),
  day: (date: Date) => DAY.format(date),
  /** Of `2026-10`. */
  month: (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`)),
};
