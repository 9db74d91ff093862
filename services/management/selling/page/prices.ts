import { byPeriod, type ComparedPrice, periodKey } from "#libs/domain/price-choice.ts";

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
