import { everyPeriod, type Period } from "#libs/domain/period-words.ts";
import { formatMoney } from "../shell/format.ts";

interface Price extends Period {
  readonly amount: number;
  readonly currency: string;
}

/** `$49.00 a month`, `$120.00 every 3 months`; `Free` for nothing. */
export function priceWords(price: Price): string {
  if (price.amount === 0) return "Free";
  return `${formatMoney(price.amount, price.currency)} ${everyPeriod(price)}`;
}
