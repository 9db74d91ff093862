import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { PlacedAd, PlacedPrice, PlacedTier, Snapshot, SnapshotSource } from "./port.ts";

/** Reads snapshots from Postgres, each in one transaction that sees a single moment. */
export function createSnapshotSource(db: Kysely<Tables>): SnapshotSource {
  return {
    async loadSnapshot(workspaceId) {
      if (!isId("workspace", workspaceId)) return null;
      return db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((transaction) => readSnapshot(transaction, workspaceId));
    },
    async workspaceOfAd(adId) {
      if (!isId("ad", adId)) return null;
      const row = await db.selectFrom("ads").select("workspace_id").where("id", "=", adId).executeTakeFirst();
      return row?.workspace_id ?? null;
    },
    async versions(workspaceIds) {
      if (workspaceIds.length === 0) return new Map();
      const rows = await db
        .selectFrom("workspaces")
        .select(["id", "version"])
        .where(sql<boolean>`id = any(${[...workspaceIds]})`)
        .execute();
      return new Map(rows.map(({ id, version }) => [id, version]));
    },
    async workspacesAfter(after, count) {
      const rows = await db
        .selectFrom("workspaces")
        .select(["id", "version"])
        .where("id", ">", after ?? "")
        .orderBy("id")
        .limit(count)
        .execute();
      return new Map(rows.map(({ id, version }) => [id, version]));
    },
  };
}

/**
 * The workspace as the transaction sees it; null where there is none. For a caller that has a transaction of its own,
 * which has to be at least `repeatable read`.
 */
export async function readSnapshot(
  transaction: Transaction<Tables>,
  workspaceId: string,
): Promise<Snapshot | null> {
  const workspace = await transaction
    .selectFrom("workspaces")
    .select(["version", "impressions_per_minute", "clicks_per_minute", "suspended_at"])
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  if (workspace === undefined) return null;
  const { suspended_at: suspendedAt } = workspace;
  const ads = await readAds(transaction, workspaceId);
  return {
    workspaceId,
    version: workspace.version,
    ads: suspendedAt === null ? ads : ads.map((ad) => endedBy(ad, suspendedAt.getTime())),
    tiers: suspendedAt === null ? await readTiers(transaction, workspaceId) : [],
    limits: {
      impressionsPerMinute: workspace.impressions_per_minute,
      clicksPerMinute: workspace.clicks_per_minute,
    },
  };
}

/** The ad as if it had ended at that instant, in milliseconds. What became eligible since then has not been served. */
function endedBy(ad: PlacedAd, end: number): PlacedAd {
  if (ad.servingSince === null || ad.servingSince >= end) {
    return { ...ad, servingSince: null, servingUntil: null };
  }
  return { ...ad, servingUntil: Math.min(ad.servingUntil ?? end, end) };
}

async function readAds(transaction: Transaction<Tables>, workspaceId: string): Promise<PlacedAd[]> {
  const fields = await transaction
    .selectFrom("fields")
    .select(["id", "key"])
    .where("workspace_id", "=", workspaceId)
    .where("is_publisher_only", "=", false)
    .orderBy("order")
    .orderBy("id")
    .execute();
  const rows = await transaction
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .select([
      "ads.id",
      "ads.name",
      "ads.website_url",
      "ads.favicon_url",
      "ads.meta",
      "ads.serving_since",
      "ads.serving_until",
      "tiers.id as tier_id",
      "tiers.weight",
    ])
    .where("ads.workspace_id", "=", workspaceId)
    .orderBy("ads.id")
    .execute();

  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    websiteUrl: row.website_url,
    faviconUrl: row.favicon_url ?? "",
    tierId: row.tier_id,
    weight: row.weight,
    meta: byKey(row.meta, fields),
    servingSince: row.serving_since?.getTime() ?? null,
    servingUntil: row.serving_until?.getTime() ?? null,
  }));
}

/** Values are stored by field id; a field that is gone or is the publisher's own has no key here and falls away. */
function byKey(
  values: Readonly<Record<string, unknown>>,
  fields: readonly { readonly id: string; readonly key: string }[],
): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter(({ id }) => Object.hasOwn(values, id)).map(({ id, key }) => [key, values[id]]),
  );
}

async function readTiers(transaction: Transaction<Tables>, workspaceId: string): Promise<PlacedTier[]> {
  const tiers = await transaction
    .selectFrom("tiers")
    .select(["id", "name", "description", "weight", "order", "features"])
    .where("workspace_id", "=", workspaceId)
    .where("is_active", "=", true)
    .orderBy("order")
    .orderBy("id")
    .execute();
  const prices = await transaction
    .selectFrom("prices")
    .select(["id", "tier_id", "interval", "interval_count", "amount", "currency"])
    .where("workspace_id", "=", workspaceId)
    .where("is_active", "=", true)
    .orderBy("id")
    .execute();

  const pricesOf = Map.groupBy(prices, (price) => price.tier_id);
  return tiers.map((tier) => ({
    ...tier,
    prices: (pricesOf.get(tier.id) ?? []).map(
      (price): PlacedPrice => ({
        id: price.id,
        interval: price.interval,
        intervalCount: price.interval_count,
        amount: price.amount,
        currency: price.currency,
      }),
    ),
  }));
}
