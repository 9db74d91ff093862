import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import { findCharged } from "../../billing/ledger/queries.ts";
import { containing } from "../../store/like-pattern.ts";

/** One page of a workspace's advertisers, newest first: those whose name or email address contains `search`, in any case. */
export async function listAdvertisers(
  db: Kysely<Tables>,
  workspaceId: string,
  search: string,
  request: PageRequest,
) {
  const pattern = containing(search);
  return await readPageOf(
    db,
    request,
    (at) =>
      at
        .selectFrom("advertisers")
        .where("workspace_id", "=", workspaceId)
        .$if(search !== "", (query) =>
          query.where((where) =>
            where.or([where("name", "ilike", pattern), where("email", "ilike", pattern)]),
          ),
        ),
    (found, total) => found.selectAll().select(total).orderBy("created_at", "desc").orderBy("id", "desc"),
  );
}

/** An advertiser, or undefined when the workspace has none with that id. */
export async function findAdvertiser(db: Kysely<Tables>, workspaceId: string, advertiserId: string) {
  if (!isId("advertiser", advertiserId)) return undefined;
  return await db
    .selectFrom("advertisers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", advertiserId)
    .selectAll()
    .executeTakeFirst();
}

/** The advertisers' subscriptions with their prices, charges and ad, if one was submitted. */
export async function findSubscriptions(db: Kysely<Tables>, workspaceId: string, advertiserIds: string[]) {
  const charged = await findCharged(db, workspaceId, advertiserIds);
  const rows = await db
    .selectFrom("subscriptions")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.advertiser_id", "=", sql<string>`any(${advertiserIds}::text[])`)
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
  return rows.map((row) => ({ ...row, charged: charged.get(row.id) ?? null }));
}
