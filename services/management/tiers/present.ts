import type { Selectable } from "kysely";
import type { PricesTable, TiersTable } from "#libs/database/tables-tiers.ts";

export type TierRow = Selectable<TiersTable>;
export type PriceRow = Selectable<PricesTable>;

/** A price as those who buy see it. */
export function presentPrice(row: PriceRow) {
  return {
    id: row.id,
    interval: row.interval,
    intervalCount: row.interval_count,
    amount: row.amount,
    currency: row.currency,
  };
}

export type ShownTier = ReturnType<typeof presentTier>;

/** A tier in the management surface, prices in the order they were made. */
export function presentTier(row: TierRow, prices: readonly PriceRow[]) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    weight: row.weight,
    order: row.order,
    isActive: row.is_active,
    features: row.features,
    prices: prices.map((price) => ({ ...presentPrice(price), isActive: price.is_active })),
  };
}
