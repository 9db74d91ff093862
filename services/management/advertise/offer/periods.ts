import { monthsInPeriod } from "#libs/domain/period.ts";
import { monthly, type ShownPrice } from "../page/price-words.ts";

/** Less is not worth telling, in percent. */
const LEAST_SAVING = 1;

/** What names a billing period in the page's address and in its form: `1-month`. */
export function periodKey({
  interval,
  intervalCount,
}: Pick<ShownPrice, "interval" | "intervalCount">): string {
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

/**
 * How much cheaper a price is by the month than the one of its tier and currency with the shortest period, in whole
 * percent; null where it is not.
 */
export function savingOf(price: ShownPrice, prices: readonly ShownPrice[]): number | null {
  const [shortest] = byPeriod(prices.filter(({ currency }) => currency === price.currency));
  if (shortest === undefined || shortest.amount === 0) return null;
  const saving = Math.floor(100 * (1 - monthly(price) / monthly(shortest)));
  return saving < LEAST_SAVING ? null : saving;
}

/** The price of a tier that is chosen to begin with: of the period wanted and the workspace's currency where it can be. */
export function firstChoice<P extends ShownPrice>(
  prices: readonly [P, ...P[]],
  wanted: { readonly period: string | null; readonly currency: string },
): P {
  const ordered = byPeriod(prices);
  const inPeriod = ordered.filter((price) => periodKey(price) === wanted.period);
  const among = inPeriod.length > 0 ? inPeriod : ordered;
  return among.find(({ currency }) => currency === wanted.currency) ?? among[0] ?? prices[0];
}
