import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { CURRENCIES, chargeStep, isChargeable, largestAmount, smallestCharge } from "#libs/domain/money.ts";
import { INTERVALS, longestPeriod } from "#libs/domain/period.ts";
import { amount, currency, id } from "./text.ts";

const interval = z.enum(INTERVALS).meta({ description: "Unit of the billing period." });
const USUAL_INTERVAL = "Month";

const TOO_LONG = "A billing period lasts at most two years.";

const MOST_INTERVALS = Math.max(...INTERVALS.map(longestPeriod));
const COUNT = { description: "Intervals per billing cycle, usually 1.", examples: [1] };
const intervalCount = z.int().min(1).max(MOST_INTERVALS, TOO_LONG).meta(COUNT);

/** A tier's price wherever it is shown to those who buy. */
export const price = z.object({
  id: id("price_01kahm4sw4fksra52s8bd8xkd1"),
  interval,
  // As with the currency: a longer one stays.
  intervalCount: z.int().min(1).meta(COUNT),
  amount,
  // One that was made before the list of currencies was limited stays.
  currency: z.string().meta({ description: "ISO 4217 code in lower case.", examples: ["usd"] }),
});

/** A tier's price in the management surface. */
export const tierPrice = price.extend({
  isActive: z.boolean().meta({ description: "False once archived." }),
});
export type TierPrice = z.output<typeof tierPrice>;

/** What a price is made with, but for the rules of `checkPrice`. */
export const priceShape = z.object({
  amount,
  intervalCount,
  currency,
  interval: interval.default(USUAL_INTERVAL),
});

/** Reports a period that is longer than two years, and an amount that the payment processor does not charge in its currency. */
export function checkPrice(given: z.output<typeof priceShape>, context: z.RefinementCtx): void {
  if (given.intervalCount > longestPeriod(given.interval)) {
    context.addIssue({ code: "custom", path: ["intervalCount"], message: TOO_LONG });
  }
  const most = largestAmount(given.currency);
  if (given.amount > most) {
    const message = `Must be at most ${most} in ${given.currency}, as the payment processor takes no more.`;
    context.addIssue({ code: "custom", path: ["amount"], message });
  } else if (!isChargeable(given.amount, given.currency)) {
    context.addIssue({ code: "custom", path: ["amount"], message: unchargeable(given) });
  }
}

function unchargeable({ amount: given, currency: of }: z.output<typeof priceShape>): string {
  const least = smallestCharge(of);
  return given < least
    ? `Must be 0 or at least ${least} in ${of}, as the payment processor takes no less.`
    : `Must be a multiple of ${chargeStep(of)} in ${of}, as the payment processor takes no other.`;
}

/** What is published of one currency's charges; currencies with the same share a rule. */
const chargeRule = (of: string) => `${smallestCharge(of)} ${chargeStep(of)} ${largestAmount(of)}`;

/**
 * The same rules for the interface description, as one choice of an interval and one of a currency: tools that generate requests understand
 * these, unlike a condition for each.
 */
export const PRICE_RULES = {
  allOf: [
    {
      anyOf: INTERVALS.map((one) => ({
        properties: { interval: { const: one }, intervalCount: { maximum: longestPeriod(one) } },
        ...(one === USUAL_INTERVAL ? {} : { required: ["interval"] }),
      })),
    },
    {
      anyOf: [...Map.groupBy(CURRENCIES, chargeRule).values()].map(([one = "", ...others]) => ({
        properties: { currency: { enum: [one, ...others] }, amount: { anyOf: chargedAmounts(one) } },
      })),
    },
  ],
};

function chargedAmounts(of: string) {
  const minimum = smallestCharge(of);
  const charged = { minimum, maximum: largestAmount(of), multipleOf: chargeStep(of) };
  return [{ const: 0 }, charged];
}

export const newPrice = priceShape.superRefine(checkPrice);
JSON_SCHEMA_INPUT_REGISTRY.add(newPrice, PRICE_RULES);
