import { monthsInPeriod } from "./period.ts";
import type { Period } from "./period-words.ts";

/** A price as advertisers choose among several. */
export interface ComparedPrice extends Period {
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
}

/** The price per average month, not rounded. */
function monthly({ interval, intervalCount, amount }: ComparedPrice): number {
  return amount / monthsInPeriod(interval, intervalCount);
}

/** In percent; a smaller saving is not shown. */
const LEAST_SAVING = 1;

/** The name of a billing period in the page's address and form: `1-month`. */
export function periodKey({ interval, intervalCount }: Period): string {
  return `${intervalCount}-${interval.toLowerCase()}`;
}

/** Prices from the shortest period to the longest, then by currency and amount. */
export function byPeriod<P extends ComparedPrice>(prices: readonly P[]): P[] {
  return prices.toSorted(
    (a, b) =>
      monthsInPeriod(a.interval, a.intervalCount) - monthsInPeriod(b.interval, b.intervalCount) ||
      a.currency.localeCompare(b.currency) ||
      a.amount - b.amount,
  );
}

/** The periods that prices are billed in, each once, the shortest first. */
export function periodsOf<P extends ComparedPrice>(prices: readonly P[]): P[] {
  const byKey = new Map<string, P>();
  for (const price of byPeriod(prices)) if (!byKey.has(periodKey(price))) byKey.set(periodKey(price), price);
  return [...byKey.values()];
}

/** The saving per month over the price with the shortest period in the same currency, in whole percent, by price; those that save nothing are left out. */
export function savingsOf<P extends ComparedPrice>(prices: readonly P[]): ReadonlyMap<P, number> {
  const shortest = new Map<string, number>();
  const savings = new Map<P, number>();
  for (const price of byPeriod(prices)) {
    const most = shortest.get(price.currency) ?? monthly(price);
    shortest.set(price.currency, most);
    const saving = Math.floor(100 * (1 - monthly(price) / most));
    if (most > 0 && saving >= LEAST_SAVING) savings.set(price, saving);
  }
  return savings;
}

/** The price of a tier that is selected at first: if possible in the wanted period and the workspace's currency. */
export function firstChoice<P extends ComparedPrice>(
  prices: readonly [P, ...P[]],
  wanted: { readonly period: string | null; readonly currency: string },
): P {
  const ordered = byPeriod(prices);
  const inPeriod = ordered.filter((price) => periodKey(price) === wanted.period);
  const among = inPeriod.length > 0 ? inPeriod : ordered;
  return among.find(({ currency }) => currency === wanted.currency) ?? among[0] ?? prices[0];
}
