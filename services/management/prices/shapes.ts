import { violatedConstraint } from "#libs/database/errors.ts";
import { conflict } from "#libs/http/index.ts";
import type { NewPrice } from "./queries.ts";

const TAKEN = "The tier already has an active price of this interval, count and currency.";

/**
 * Refuses the prices of a new tier when two of them have one shape: that would leave it to chance what an advertiser
 * pays. 409 at the second of them.
 */
export function refuseRepeatedShapes(prices: readonly NewPrice[]): void {
  const seen = new Set<string>();
  for (const [index, { interval, intervalCount, currency }] of prices.entries()) {
    const shape = `${interval}:${intervalCount}:${currency}`;
    if (seen.has(shape)) throw conflict({ fieldErrors: { [`initialPrices.${index}`]: [TAKEN] } });
    seen.add(shape);
  }
}

/** Puts a price on sale by `write`; 409 at `interval` where the database finds its shape taken. */
export async function claimShape<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatedConstraint(error) !== "prices_active_shape") throw error;
    throw conflict({ fieldErrors: { interval: [TAKEN] } });
  }
}
