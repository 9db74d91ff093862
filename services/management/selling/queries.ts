import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import { SLUG } from "#libs/domain/slug.ts";
import { presentPrice } from "../catalogue/tiers/queries.ts";

const LONGEST_NAME = 100;

/** The public part of the workspace with that id or slug; undefined if there is none, or it is being deleted. */
export async function findPublisher(db: Kysely<Tables>, idOrSlug: string) {
  const column = isId("workspace", idOrSlug) ? "id" : "slug";
  if (column === "slug" && (idOrSlug.length > LONGEST_NAME || !SLUG.test(idOrSlug))) return undefined;
  return await db
    .selectFrom("workspaces")
    .where(column, "=", idOrSlug)
    .where("erasing_since", "is", null)
    .select([
      "id",
      "slug",
      "name",
      "website_url",
      "favicon_url",
      "currency",
      "contact_email",
      "charge_at",
      "suspended_at",
      "advertiser_splits",
    ])
    .executeTakeFirst();
}

export type Publisher = NonNullable<Awaited<ReturnType<typeof findPublisher>>>;

/** A workspace that was deleted, or is being deleted, and whether its advertisers are refunded (null if not known); else undefined. */
export async function findClosed(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<{ readonly refunds: boolean | null } | undefined> {
  if (!isId("workspace", workspaceId)) return undefined;
  const closing = db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .where("erasing_since", "is not", null)
    .select("erasing_refunds as refunds");
  const closed = db.selectFrom("erased_workspaces").where("id", "=", workspaceId).select("refunds");
  return await closing.unionAll(closed).executeTakeFirst();
}

/** What the publisher tells about the site; by itself, because only the offer shows it. */
export async function findMediaKit(db: Kysely<Tables>, workspaceId: string): Promise<MediaKit> {
  const { media_kit: kit } = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("media_kit")
    .executeTakeFirstOrThrow();
  return kit;
}

/** The tiers on sale with their prices on sale, in display order; those that cannot be bought are left out. */
export async function findTiersOnSale(db: Kysely<Tables>, workspaceId: string) {
  const [tiers, prices] = await Promise.all([
    db
      .selectFrom("tiers")
      .where("workspace_id", "=", workspaceId)
      .where("is_active", "=", true)
      .select(["id", "name", "description", "features"])
      .orderBy("order")
      .orderBy("id")
      .execute(),
    db
      .selectFrom("prices")
      .where("workspace_id", "=", workspaceId)
      .where("is_active", "=", true)
      .selectAll()
      .orderBy("id")
      .execute(),
  ]);
  const byTier = Map.groupBy(prices, (price) => price.tier_id);
  return tiers.flatMap(({ id, ...tier }) => {
    const [first, ...others] = (byTier.get(id) ?? []).map(presentPrice);
    return first === undefined ? [] : [{ id, ...tier, prices: [first, ...others] as const }];
  });
}

export type TierOnSale = Awaited<ReturnType<typeof findTiersOnSale>>[number];

/** What an advertiser has bought, as the processor has it. */
export async function findPurchase(db: Kysely<Tables>, workspaceId: string, subscriptionId: string) {
  return await selectPurchases(db, workspaceId)
    .where("subscriptions.id", "=", subscriptionId)
    .executeTakeFirstOrThrow();
}

export type Purchase = Awaited<ReturnType<typeof findPurchase>>;

/** Selects what was bought in a workspace. */
export function selectPurchases(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("subscriptions")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .select([
      "subscriptions.advertiser_id",
      "subscriptions.status",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.canceled_at",
      "subscriptions.ended_at",
      "subscriptions.current_period_end",
      "subscriptions.trial_end",
      "subscriptions.charge_at",
      "subscriptions.awaits_approval",
      "subscriptions.renewal_failed_at",
      "subscriptions.paid_amount",
      "subscriptions.is_period_void",
      "subscriptions.stopped_at",
      "subscriptions.stop_bill",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
    ]);
}
