import { monthsInPeriod } from "#libs/domain/period.ts";
import { everyPeriod, type Period } from "#libs/domain/period-words.ts";
import { formats } from "../../mail/formats.ts";

export interface ShownPrice extends Period {
  readonly amount: number;
  readonly currency: string;
}

/** A price in words: `$49.00/month`, `Free`. */
export function priceWords(price: ShownPrice): string {
  if (price.amount === 0) return "Free";
  return `${formats.money(price.amount, price.currency)}${everyPeriod(price)}`;
}

/** The price per average month, not rounded. */
export function monthly({ interval, intervalCount, amount }: ShownPrice): number {
  return amount / monthsInPeriod(interval, intervalCount);
}

/** In percent; a smaller saving is not shown. */
const LEAST_SAVING = 1;

/** The name of a billing period in the page's address and form: `1-month`. */
export function periodKey({ interval, intervalCount }: Period): string {
  return `${intervalCount}-${interval.toLowerCase()}`;
}

/** Prices from the shortest period to the longest, then by currency and amount. */
export function byPeriod<P extends ShownPrice>(prices: readonly P[]): P[] {
  return prices.toSorted(
    (a, b) =>
      monthsInPeriod(a.interval, a.intervalCount) - monthsInPeriod(b.interval, b.intervalCount) ||
      a.currency.localeCompare(b.currency) ||
      a.amount - b.amount,
  );
}

/** The periods that prices are billed in, each once, the shortest first. */
export function periodsOf<P extends ShownPrice>(prices: readonly P[]): P[] {
  const byKey = new Map<string, P>();
  for (const price of byPeriod(prices)) if (!byKey.has(periodKey(price))) byKey.set(periodKey(price), price);
  return [...byKey.values()];
}

/** The saving per month over the price with the shortest period in the same currency, in whole percent; null for none. */
export function savingOf(price: ShownPrice, prices: readonly ShownPrice[]): number | null {
  const [shortest] = byPeriod(prices.filter(({ currency }) => currency === price.currency));
  if (shortest === undefined || shortest.amount === 0) return null;
  const saving = Math.floor(100 * (1 - monthly(price) / monthly(shortest)));
  return saving < LEAST_SAVING ? null : saving;
}

/** The price of a tier that is selected at first: if possible in the wanted period and the workspace's currency. */
export function firstChoice<P extends ShownPrice>(
  prices: readonly [P, ...P[]],
  wanted: { readonly period: string | null; readonly currency: string },
): P {
  const ordered = byPeriod(prices);
  const inPeriod = ordered.filter((price) => periodKey(price) === wanted.period);
  const among = inPeriod.length > 0 ? inPeriod : ordered;
  return among.find(({ currency }) => currency === wanted.currency) ?? among[0] ?? prices[0];
}
