import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { inRounds } from "#libs/async/index.ts";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { Utm } from "#libs/domain/utm.ts";
import { addressesOf } from "./addresses.ts";
import type { Snapshot, SnapshotAd, SnapshotPrice, SnapshotSource, SnapshotTier } from "./port.ts";

/** Longer than clocks differ. An ad that has been off the air for longer is in a snapshot without its content, which nobody asks for. */
const KEPT_AFTER_END_MS = 60 * 60_000;

/** Reads snapshots from Postgres, each in one consistent transaction. */
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
    async workspacesOfAds(adIds) {
      const wellFormed = adIds.filter((adId) => isId("ad", adId));
      if (wellFormed.length === 0) return new Map();
      const rows = await db
        .selectFrom("ads")
        .select(["id", "workspace_id"])
        .where(sql<boolean>`id = any(${wellFormed})`)
        .execute();
      return new Map(rows.map(({ id, workspace_id }) => [id, workspace_id]));
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

/** The snapshot as the transaction, of at least `repeatable read`, sees it; null for an unknown workspace. */
async function readSnapshot(transaction: Transaction<Tables>, workspaceId: string): Promise<Snapshot | null> {
  const workspace = await transaction
    .selectFrom("workspaces")
    .select([
      "version",
      "impressions_per_minute",
      "clicks_per_minute",
      "require_proof",
      "record_pages",
      "count_visitors",
      "suspended_at",
      "utm_source",
      "utm_medium",
      "utm_campaign",
    ])
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  if (workspace === undefined) return null;
  const {
    suspended_at: suspendedAt,
    utm_source: source,
    utm_medium: medium,
    utm_campaign: campaign,
  } = workspace;
  const ads = await readAds(transaction, workspaceId, { source, medium, campaign });
  return {
    workspaceId,
    version: workspace.version,
    ads: suspendedAt === null ? ads : ads.map((ad) => endedBy(ad, suspendedAt.getTime())),
    tiers: suspendedAt === null ? await readTiers(transaction, workspaceId) : [],
    trackingKeys: suspendedAt === null ? await readTrackingKeys(transaction, workspaceId) : [],
    limits: {
      impressionsPerMinute: workspace.impressions_per_minute,
      clicksPerMinute: workspace.clicks_per_minute,
    },
    requireProof: workspace.require_proof,
    recordPages: workspace.record_pages,
    countVisitors: workspace.count_visitors,
    owner: await ownerOf(transaction, workspaceId),
  };
}

/** The ad as if it had ended at `end`, in milliseconds, and led nowhere. One that became eligible after that has not been served. */
function endedBy(ad: SnapshotAd, end: number): SnapshotAd {
  if (ad.servingSince === null || ad.servingSince >= end) {
    return { ...ad, clickUrl: null, servingSince: null, servingUntil: null };
  }
  return { ...ad, clickUrl: null, servingUntil: Math.min(ad.servingUntil ?? end, end) };
}

async function readAds(
  transaction: Transaction<Tables>,
  workspaceId: string,
  utm: Utm,
): Promise<SnapshotAd[]> {
  const fields = await transaction
    .selectFrom("fields")
    .select(["id", "key"])
    .where("workspace_id", "=", workspaceId)
    .where("is_publisher_only", "=", false)
    .orderBy("order")
    .orderBy("id")
    .execute();
  const longAgo = new Date(Date.now() - KEPT_AFTER_END_MS);
  const rows = await transaction
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .select([
      "ads.id",
      "ads.name",
      "ads.website_url",
      "ads.status",
      "ads.favicon_url",
      // There is no end of those that have been off, and each may have 64 KiB of values.
      sql<
        Selectable<Tables["ads"]>["meta"]
      >`case when ads.serving_since is null or ads.serving_until < ${longAgo} then '{}' else ads.meta end`.as(
        "meta",
      ),
      "ads.serving_since",
      "ads.serving_until",
      "tiers.id as tier_id",
      "tiers.name as tier",
      "tiers.weight",
      "advertisers.erased_at",
    ])
    .where("ads.workspace_id", "=", workspaceId)
    // Strangers can submit any number of ads, so those that nobody has approved take no room.
    .where((where) =>
      where.or([where("ads.status", "=", "Approved"), where("ads.serving_since", "is not", null)]),
    )
    .orderBy("ads.id")
    .execute();

  const ads: SnapshotAd[] = [];
  for await (const row of inRounds(rows)) {
    const { websiteUrl, clickUrl } = addressesOf(row, utm);
    const content = hasBeenOff(row, longAgo)
      ? { name: "", websiteUrl: "", faviconUrl: "", meta: {} }
      : { name: row.name, websiteUrl, faviconUrl: row.favicon_url ?? "", meta: byKey(row.meta, fields) };
    ads.push({
      id: row.id,
      ...content,
      clickUrl,
      tierId: row.tier_id,
      weight: row.weight,
      servingSince: row.serving_since?.getTime() ?? null,
      servingUntil: row.serving_until?.getTime() ?? null,
    });
  }
  return ads;
}

/** Whether the ad is not to be answered with: it was never on the air, or has been off it since before `moment`. */
function hasBeenOff(
  {
    serving_since,
    serving_until,
  }: { readonly serving_since: Date | null; readonly serving_until: Date | null },
  moment: Date,
): boolean {
  return serving_since === null || (serving_until !== null && serving_until < moment);
}

/** Values are stored by field id. Those of deleted and of publisher-only fields are left out. */
function byKey(
  values: Readonly<Record<string, unknown>>,
  fields: readonly { readonly id: string; readonly key: string }[],
): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter(({ id }) => Object.hasOwn(values, id)).map(({ id, key }) => [key, values[id]]),
  );
}

/** Like every key, one works while its maker may: is a member who may change things, and not suspended. */
async function readTrackingKeys(transaction: Transaction<Tables>, workspaceId: string): Promise<string[]> {
  const keys = await transaction
    .selectFrom("api_keys")
    .innerJoin("members", "members.id", "api_keys.member_id")
    .innerJoin("people", "people.id", "members.person_id")
    .where("api_keys.workspace_id", "=", workspaceId)
    .where("api_keys.kind", "=", "tracking")
    .where("members.role", "!=", "Viewer")
    .where("people.suspended_at", "is", null)
    .select("api_keys.hash")
    .orderBy("api_keys.id")
    .execute();
  return keys.map(({ hash }) => hash.toString("base64url"));
}

async function readTiers(transaction: Transaction<Tables>, workspaceId: string): Promise<SnapshotTier[]> {
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
  // A tier without a price on sale has nothing to buy.
  const sold = tiers.filter(({ id }) => pricesOf.has(id));
  return sold.map((tier) => ({
    ...tier,
    prices: (pricesOf.get(tier.id) ?? []).map(
      (price): SnapshotPrice => ({
        id: price.id,
        interval: price.interval,
        intervalCount: price.interval_count,
        amount: price.amount,
        currency: price.currency,
      }),
    ),
  }));
}
