import { type Interval, longestPeriod } from "#libs/domain/period.ts";
import { readAmount } from "./amount-text.ts";

/** A new price as it stands in a form. */
export interface PriceDraft {
  /** In whole units, as typed. */
  readonly amount: string;
  readonly currency: string;
  readonly interval: Interval;
  /** As typed. */
  readonly intervalCount: string;
}

/** What is sent, or what is wrong by dotted path, in the words that stand at the inputs. */
export type Checked<Input> = { readonly input: Input } | { readonly errors: Record<string, string> };

export interface PriceInput {
  readonly amount: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}

/** A price as most are: by the month, in the workspace's currency. */
export function emptyPrice(currency: string): PriceDraft {
  return { amount: "", currency, interval: "Month", intervalCount: "1" };
}

/** Reads a price out of its form. */
export function checkPrice(draft: PriceDraft): Checked<PriceInput> {
  const { currency, interval } = draft;
  const errors: Record<string, string> = {};
  const read = readAmount(draft.amount, currency);
  if ("problem" in read) errors.amount = read.problem;
  const intervalCount = Number(draft.intervalCount);
  if (!/^\s*\d+\s*$/.test(draft.intervalCount) || intervalCount < 1) {
    errors.intervalCount = "Enter a whole number from 1.";
  } else if (intervalCount > longestPeriod(interval)) {
    errors.intervalCount = "A billing period lasts at most three years.";
  }
  if ("problem" in read || errors.intervalCount !== undefined) return { errors };
  return { input: { amount: read.amount, currency, interval, intervalCount } };
}
