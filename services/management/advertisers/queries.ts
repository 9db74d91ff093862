import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";

/** An advertiser with the workspace's currency, or undefined when the workspace has none with that id. */
export async function findAdvertiser(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  if (!isId("advertiser", advertiserId)) return undefined;
  return await db
    .selectFrom("advertisers")
    .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
    .where("advertisers.workspace_id", "=", workspaceId)
    .where("advertisers.id", "=", advertiserId)
    .selectAll("advertisers")
    .select("workspaces.currency")
    .executeTakeFirst();
}

/** An advertiser's subscriptions with their prices and, where one was submitted, their ad. */
export async function findSubscriptions(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  return await db
    .selectFrom("subscriptions")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.advertiser_id", "=", advertiserId)
    .selectAll("subscriptions")
    .select([
      "prices.interval",
      "prices.interval_count",
      "prices.amount",
      "prices.currency",
      "ads.id as ad_id",
      "ads.status as ad_status",
    ])
    .execute();
}
