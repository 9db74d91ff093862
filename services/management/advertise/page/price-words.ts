import { monthsInPeriod } from "#libs/domain/period.ts";
import { everyPeriod, type Period } from "#libs/domain/period-words.ts";
import { createFormats } from "../../mails/formats.ts";

export const formats = createFormats("en");

export interface ShownPrice extends Period {
  readonly amount: number;
  readonly currency: string;
}

/** A price in words: `$49.00 a month`, `Free`. */
export function priceWords(price: ShownPrice): string {
  if (price.amount === 0) return "Free";
  return `${formats.money(price.amount, price.currency)} ${everyPeriod(price)}`;
}

/** What of a price an average month costs, not rounded. */
export function monthly({ interval, intervalCount, amount }: ShownPrice): number {
  return amount / monthsInPeriod(interval, intervalCount);
}
