import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import { type PageRequest, placePage } from "../pages.ts";
import type { PriceRow, TierRow } from "./present.ts";

export interface NewPrice {
  readonly interval: Interval;
  readonly intervalCount: number;
  readonly amount: number;
  readonly currency: string;
}

export interface NewTier {
  readonly name: string;
  readonly description: string;
  readonly weight: number;
  readonly order: number | undefined;
  readonly isActive: boolean;
  readonly features: readonly TierFeature[];
  readonly prices: readonly NewPrice[];
}

/** One page of a workspace's tiers in display order. */
export async function listTiers(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  const ofWorkspace = db.selectFrom("tiers").where("workspace_id", "=", workspaceId);
  const { total } = await ofWorkspace
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { envelope, offset } = placePage(total, request);
  const tiers = await ofWorkspace
    .selectAll()
    .orderBy("order")
    .orderBy("id")
    .limit(envelope.perPage)
    .offset(offset)
    .execute();
  return { envelope, tiers: await withPrices(db, workspaceId, tiers) };
}

/** A tier with its prices, or undefined when the workspace has none with that id. */
export async function findTier(db: Kysely<Tables>, workspaceId: string, tierId: string) {
  if (!isId("tier", tierId)) return undefined;
  const tier = await db
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .selectAll()
    .executeTakeFirst();
  if (tier === undefined) return undefined;
  const [found] = await withPrices(db, workspaceId, [tier]);
  return found;
}

/** Creates a tier with its prices and returns its id. Without an order it comes last. */
export async function insertTier(
  trx: Transaction<Tables>,
  workspaceId: string,
  tier: NewTier,
): Promise<string> {
  const id = newId("tier");
  await trx
    .insertInto("tiers")
    .values(({ selectFrom, fn, val }) => ({
      id,
      workspace_id: workspaceId,
      name: tier.name,
      description: tier.description,
      weight: tier.weight,
      is_active: tier.isActive,
      features: JSON.stringify(tier.features),
      order:
        tier.order ??
        selectFrom("tiers")
          .where("workspace_id", "=", workspaceId)
          .select((select) => select(fn.coalesce(fn.max("order"), val(-1)), "+", 1).as("next")),
    }))
    .execute();
  await trx
    .insertInto("prices")
    .values(
      tier.prices.map((price) => ({
        id: newId("price"),
        workspace_id: workspaceId,
        tier_id: id,
        interval: price.interval,
        interval_count: price.intervalCount,
        amount: price.amount,
        currency: price.currency,
      })),
    )
    .execute();
  return id;
}

/** Sets whether a tier is on sale. True when that changed something. */
export async function setTierActive(
  trx: Transaction<Tables>,
  workspaceId: string,
  tierId: string,
  isActive: boolean,
): Promise<boolean> {
  if (!isId("tier", tierId)) return false;
  const { numUpdatedRows } = await trx
    .updateTable("tiers")
    .set({ is_active: isActive, updated_at: new Date() })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .where("is_active", "=", !isActive)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function withPrices(
  db: Kysely<Tables>,
  workspaceId: string,
  tiers: readonly TierRow[],
): Promise<{ tier: TierRow; prices: PriceRow[] }[]> {
  if (tiers.length === 0) return [];
  const prices = await db
    .selectFrom("prices")
    .where("workspace_id", "=", workspaceId)
    .where(
      "tier_id",
      "in",
      tiers.map((tier) => tier.id),
    )
    .selectAll()
    .orderBy("id")
    .execute();
  const byTier = Map.groupBy(prices, (price) => price.tier_id);
  return tiers.map((tier) => ({ tier, prices: byTier.get(tier.id) ?? [] }));
}
