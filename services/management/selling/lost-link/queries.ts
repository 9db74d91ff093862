import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hashLinkToken } from "../../mail/lost-links.ts";
import { selectPurchases } from "../queries.ts";

/** The newest purchases of an advertiser that one page lists. */
export const MOST_LISTED = 50;

/** The advertiser of a link that still works; undefined for any other token. */
export async function findLinkOwner(
  db: Kysely<Tables>,
  workspaceId: string,
  token: string,
  now: Date,
): Promise<string | undefined> {
  const link = await db
    .selectFrom("advertiser_links")
    .where("token_hash", "=", hashLinkToken(token))
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .select("advertiser_id")
    .executeTakeFirst();
  return link?.advertiser_id;
}

/** What an advertiser has bought in a workspace, newest first, each with its checkout session and its ad. */
export async function findBought(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  const sales = await selectPurchases(db, workspaceId)
    .innerJoin("checkout_sessions", "checkout_sessions.subscription_id", "subscriptions.id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .where("subscriptions.advertiser_id", "=", advertiserId)
    .select(["subscriptions.id", "checkout_sessions.id as session_id", "tiers.name as tier"])
    .orderBy("subscriptions.created_at", "desc")
    .orderBy("subscriptions.id", "desc")
    .limit(MOST_LISTED)
    .execute();
  const ads = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("subscription_id", "=", sql<string>`any(${sales.map(({ id }) => id)}::text[])`)
    .selectAll()
    .execute();
  const adOf = new Map(ads.map((ad) => [ad.subscription_id, ad]));
  return sales.map(({ id, session_id: sessionId, tier, ...purchase }) => ({
    sessionId,
    tier,
    purchase,
    ad: adOf.get(id),
  }));
}

export type Bought = Awaited<ReturnType<typeof findBought>>[number];
