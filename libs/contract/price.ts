import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { INTERVALS, longestPeriod } from "#libs/domain/period.ts";
import { amount, currency, id } from "./text.ts";

const interval = z.enum(INTERVALS).meta({ description: "Unit of the billing period." });
const USUAL_INTERVAL = "Month";

export const tooLong = { path: ["intervalCount"], message: "A billing period lasts at most three years." };

const MOST_INTERVALS = Math.max(...INTERVALS.map(longestPeriod));
const intervalCount = z
  .int()
  .min(1)
  .max(MOST_INTERVALS, tooLong.message)
  .meta({ description: "Intervals per billing cycle, usually 1.", examples: [1] });

/** A tier's price wherever it is shown to those who buy. */
export const price = z.object({
  id: id("price_01kahm4sw4fksra52s8bd8xkd1"),
  interval,
  intervalCount,
  amount,
  currency,
});

/** A tier's price in the management surface. */
export const tierPrice = price.extend({
  isActive: z.boolean().meta({ description: "False once archived." }),
});
export type TierPrice = z.output<typeof tierPrice>;

/** What a price is made with, but for the rule that a period lasts at most three years. */
export const priceShape = z.object({
  amount,
  intervalCount,
  currency,
  interval: interval.default(USUAL_INTERVAL),
});

/** The check of that rule. */
export const withinThreeYears = (given: z.output<typeof priceShape>) =>
  given.intervalCount <= longestPeriod(given.interval);

/** The same rule for the interface description. A count that no interval may have is ruled out by itself. */
export const PERIOD_RULE = {
  allOf: INTERVALS.filter((one) => longestPeriod(one) < MOST_INTERVALS).map((one) => ({
    if: {
      properties: { interval: { const: one } },
      ...(one === USUAL_INTERVAL ? {} : { required: ["interval"] }),
    },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema; nobody awaits a schema.
    then: { properties: { intervalCount: { maximum: longestPeriod(one) } } },
  })),
};

export const newPrice = priceShape.refine(withinThreeYears, tooLong);
JSON_SCHEMA_INPUT_REGISTRY.add(newPrice, PERIOD_RULE);
