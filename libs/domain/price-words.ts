import { formatShortMoney } from "./money.ts";
import { everyPeriod } from "./period-words.ts";
import type { ComparedPrice } from "./price-choice.ts";

/** A price in English words, its numbers as people of that locale write them: `$199/month`, `$49.50 every 3 months`, `Free`. */
export function priceWords(price: ComparedPrice, locale: string): string {
  if (price.amount === 0) return "Free";
  return `${formatShortMoney(price.amount, price.currency, locale)}${everyPeriod(price)}`;
}
