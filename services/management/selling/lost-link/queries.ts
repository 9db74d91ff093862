import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { findSubmittedAd } from "../../billing/checkout/queries.ts";
import { hashLinkToken } from "../../mail/lost-links.ts";
import { findPurchase } from "../queries.ts";

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
  const sales = await db
    .selectFrom("subscriptions")
    .innerJoin("checkout_sessions", "checkout_sessions.subscription_id", "subscriptions.id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.advertiser_id", "=", advertiserId)
    .select(["subscriptions.id", "checkout_sessions.id as session_id", "tiers.name as tier"])
    .orderBy("subscriptions.created_at", "desc")
    .orderBy("subscriptions.id", "desc")
    .limit(MOST_LISTED)
    .execute();
  return await Promise.all(
    sales.map(async ({ id, session_id: sessionId, tier }) => ({
      sessionId,
      tier,
      purchase: await findPurchase(db, workspaceId, id),
      ad: await findSubmittedAd(db, id),
    })),
  );
}

export type Bought = Awaited<ReturnType<typeof findBought>>[number];
