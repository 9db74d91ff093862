import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { Interval } from "#libs/domain/period.ts";

export interface NewPrice {
  /** Absent: a new one. */
  readonly id?: string;
  readonly interval: Interval;
  readonly intervalCount: number;
  readonly amount: number;
  readonly currency: string;
}

interface TierOfWorkspace {
  readonly workspaceId: string;
  readonly tierId: string;
}

/** Adds active prices, at least one, to a tier. */
export async function insertPrices(
  trx: Transaction<Tables>,
  { workspaceId, tierId }: TierOfWorkspace,
  prices: readonly NewPrice[],
): Promise<void> {
  await trx
    .insertInto("prices")
    .values(
      prices.map((price) => ({
        id: price.id ?? newId("price"),
        workspace_id: workspaceId,
        tier_id: tierId,
        interval: price.interval,
        interval_count: price.intervalCount,
        amount: price.amount,
        currency: price.currency,
      })),
    )
    .execute();
}

/** Sets whether a price is on sale. */
export async function setPriceActive(
  trx: Transaction<Tables>,
  { workspaceId, tierId }: TierOfWorkspace,
  priceId: string,
  isActive: boolean,
): Promise<void> {
  await trx
    .updateTable("prices")
    .set({ is_active: isActive })
    .where("workspace_id", "=", workspaceId)
    .where("tier_id", "=", tierId)
    .where("id", "=", priceId)
    .execute();
}
