import { everyPeriod } from "#libs/domain/period-words.ts";
import { byPeriod, type ComparedPrice, periodKey } from "#libs/domain/price-choice.ts";
import { formats } from "../../mail/formats.ts";

/** A price in words: `$49.00/month`, `Free`. */
export function priceWords(price: ComparedPrice): string {
  if (price.amount === 0) return "Free";
  return `${formats.money(price.amount, price.currency)}${everyPeriod(price)}`;
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
