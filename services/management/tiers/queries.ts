import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import { orderAfterLast } from "../catalogue.ts";
import { type PageRequest, readPageOf } from "../pages.ts";
import type { PriceRow, TierRow } from "./present.ts";

export interface NewTier {
  readonly name: string;
  readonly description: string;
  readonly weight: number;
  /** Undefined: after the last. */
  readonly order: number | undefined;
  readonly isActive: boolean;
  readonly features: readonly TierFeature[];
}

/** What of a tier changes; what is undefined stays. */
export type TierChanges = { readonly [K in keyof NewTier]?: NewTier[K] | undefined };

/** One page of a workspace's tiers in display order. */
export async function listTiers(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  const { envelope, rows } = await readPageOf(
    db,
    request,
    (at) => at.selectFrom("tiers").where("workspace_id", "=", workspaceId),
    (found, total) => found.selectAll().select(total).orderBy("order").orderBy("id"),
  );
  return { envelope, tiers: await withPrices(db, workspaceId, rows) };
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

/** Creates a tier without prices and returns its id. */
export async function insertTier(
  trx: Transaction<Tables>,
  workspaceId: string,
  tier: NewTier,
): Promise<string> {
  const id = newId("tier");
  await trx
    .insertInto("tiers")
    .values({
      id,
      workspace_id: workspaceId,
      name: tier.name,
      description: tier.description,
      weight: tier.weight,
      is_active: tier.isActive,
      features: JSON.stringify(tier.features),
      order: tier.order ?? (await orderAfterLast(trx, "tiers", workspaceId)),
    })
    .execute();
  return id;
}

/** Changes a tier of the workspace. */
export async function updateTier(
  trx: Transaction<Tables>,
  workspaceId: string,
  tierId: string,
  changes: TierChanges,
): Promise<void> {
  await trx
    .updateTable("tiers")
    .set({
      name: changes.name,
      description: changes.description,
      weight: changes.weight,
      order: changes.order,
      is_active: changes.isActive,
      features: changes.features === undefined ? undefined : JSON.stringify(changes.features),
      updated_at: new Date(),
    })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .execute();
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
