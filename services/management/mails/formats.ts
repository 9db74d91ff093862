import { formatMoney } from "#libs/domain/money.ts";

/** How numbers, money and dates are written for people of one locale. Days are those of UTC. */
export interface Formats {
  /** An amount in the currency's smallest unit. */
  money(amount: number, currency: string): string;
  count(count: number): string;
  /** A part of a whole in percent; a dash where there is no whole. */
  share(part: number, whole: number): string;
  day(date: Date): string;
  /** Of `2026-10`. */
  month(month: string): string;
}

/** The formats of a locale, as Intl has them. */
export function createFormats(locale: string): Formats {
  const count = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const month = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  return {
    money: (amount, currency) => formatMoney(amount, currency, locale),
    count: (number) => count.format(number),
    share: (part, whole) => (whole === 0 ? "–" : share.format(part / whole)),
    day: (date) => day.format(date),
    month: (name) => month.format(new Date(`${name}-01T00:00:00Z`)),
  };
}
