import type { Kysely, Selectable, Transaction } from "kysely";
import type { Tier } from "#libs/contract/tiers.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import { notFound } from "#libs/http/index.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import { orderAfterLast } from "../../store/workspace-lock.ts";

type TierValues = Omit<Tier, "id" | "prices">;

/** Changes of a tier; undefined leaves a value unchanged. */
export type TierChanges = { readonly [K in keyof TierValues]?: TierValues[K] | undefined };

const SHOWN: Order = {
  name: "tiers:order",
  keys: [orderKey("tiers.order", "number", "asc"), orderKey("tiers.id", "text", "asc")],
};

/** One page of a workspace's tiers in display order. */
export async function listTiers(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  const { envelope, rows } = await readPageOf(
    db,
    request,
    SHOWN,
    (at) => at.selectFrom("tiers").where("workspace_id", "=", workspaceId),
    (found, columns) => found.selectAll().select(columns),
  );
  return { envelope, items: await showTiers(db, workspaceId, rows) };
}

/** A tier with its prices. Throws 404 if the workspace has none with that id. */
export async function showTier(db: Kysely<Tables>, workspaceId: string, tierId: string) {
  if (!isId("tier", tierId)) throw notFound("Tier");
  const rows = await db
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tierId)
    .selectAll()
    .execute();
  const [tier] = await showTiers(db, workspaceId, rows);
  if (tier === undefined) throw notFound("Tier");
  return tier;
}

/** Creates a tier without prices and returns its id. Without an `order` it comes last. */
export async function insertTier(
  trx: Transaction<Tables>,
  workspaceId: string,
  tier: Omit<TierValues, "order"> & Pick<TierChanges, "order">,
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

async function showTiers(db: Kysely<Tables>, workspaceId: string, tiers: readonly TierRow[]) {
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
  return tiers.map((tier) => presentTier(tier, byTier.get(tier.id) ?? []));
}

export type TierRow = Selectable<Tables["tiers"]>;
export type PriceRow = Selectable<Tables["prices"]>;

/** A price as buyers see it. */
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

/** A tier in the management view, with its prices in the order of their creation. */
function presentTier(row: TierRow, prices: readonly PriceRow[]) {
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
