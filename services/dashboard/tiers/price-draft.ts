import type { z } from "zod";
import { newPrice } from "#libs/contract/price.ts";
import type { Interval } from "#libs/domain/period.ts";
import { readAmount } from "../components/amount-text.ts";
import { type Checked, checkInput } from "../components/forms/check-input.ts";
import { readWhole } from "../components/forms/read-number.ts";

/** A new price in a form, as typed. */
export interface PriceDraft {
  /** In whole units. */
  readonly amount: string;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: string;
}

export type PriceInput = z.output<typeof newPrice>;

/** The most frequent price: monthly, in the workspace's currency. */
export function emptyPrice(currency: string): PriceDraft {
  return { amount: "", currency, interval: "Month", intervalCount: "1" };
}

/** Checks a price and converts it to what the API takes. */
export function checkPrice(draft: PriceDraft): Checked<PriceInput> {
  const read = readAmount(draft.amount, draft.currency);
  const isAmount = "amount" in read;
  const checked = checkInput(
    newPrice,
    {
      ...draft,
      amount: isAmount ? read.amount : 0,
      intervalCount: readWhole(draft.intervalCount) ?? Number.NaN,
    },
    { intervalCount: "Enter a whole number from 1." },
  );
  if (isAmount) return checked;
  return { errors: { amount: read.problem, ...("errors" in checked ? checked.errors : {}) } };
}
