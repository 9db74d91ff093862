import { INTERVALS } from "#libs/domain/period.ts";
import { priceWords } from "../ads/price-words.ts";

/** A price among the values of an entry, `$49.00 a month`; null where the values are not a price's. */
export function priceText(values: Readonly<Record<string, unknown>>): string | null {
  const { amount, currency, intervalCount } = values;
  const interval = INTERVALS.find((one) => one === values.interval);
  if (typeof amount !== "number" || typeof currency !== "string") return null;
  if (interval === undefined || typeof intervalCount !== "number") return null;
  return priceWords({ amount, currency, interval, intervalCount });
}
