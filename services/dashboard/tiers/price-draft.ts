import type { z } from "zod";
import { newPrice } from "#libs/contract/price.ts";
import { chargeStep, isChargeable, smallestCharge } from "#libs/domain/money.ts";
import type { Interval } from "#libs/domain/period.ts";
import { readAmount } from "../components/amount-text.ts";
import { formatMoney } from "../components/format.ts";
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
  const read = readCharge(draft);
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

function readCharge({ amount: typed, currency }: PriceDraft): ReturnType<typeof readAmount> {
  const read = readAmount(typed, currency);
  if (!("amount" in read) || isChargeable(read.amount, currency)) return read;
  const least = smallestCharge(currency);
  return {
    problem:
      read.amount < least
        ? `At least ${formatMoney(least, currency)}; 0 is free.`
        : `Only multiples of ${formatMoney(chargeStep(currency), currency)} can be charged.`,
  };
}
