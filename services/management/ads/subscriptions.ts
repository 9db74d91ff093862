import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { SubscriptionFilter } from "#libs/domain/subscription.ts";
import { api, forMembers } from "../api/api.ts";
import { type Order, orderKey } from "../api/cursor.ts";
import { type PageRequest, readPageOf } from "../api/pages.ts";
import { inPageTurn } from "../api/turns.ts";
import { anyOf, hasRow, idOrNone } from "../store/any-of.ts";
import { readConsistently } from "../store/consistent-read.ts";
import { isChangedSubscription } from "./changed.ts";
import { presentPurchase } from "./present.ts";
import { PURCHASE_COLUMNS } from "./queries.ts";
import { isSubscription } from "./subscription-filter.ts";

export const subscriptionRoutes = {
  list: forMembers(api.subscriptions.list, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const read = () => readConsistently(db, (trx) => listSubscriptions(trx, workspaceId, input, input));
    const { envelope, rows } = await inPageTurn(db, workspaceId, reply.raw, read);
    return { ...envelope, items: rows.map(presentPurchase) };
  }),
};

/** The order of lists of subscriptions, which an index has. */
export const NEWEST: Order = {
  name: "subscriptions:newest",
  keys: [orderKey("subscriptions.created_at", "time", "desc"), orderKey("subscriptions.id", "text", "desc")],
};

interface PurchaseFilter {
  readonly subscription?: SubscriptionFilter | undefined;
  readonly advertiserId?: string | undefined;
  readonly clientReference?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly updatedSince?: string | undefined;
  readonly ad?: "submitted" | "awaited" | undefined;
}

/** One page of a workspace's subscriptions with their ad, if there is one, newest first. */
export async function listSubscriptions(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: PurchaseFilter,
  request: PageRequest,
) {
  const hasChanged = await isChangedSubscription("subscriptions.id", db, workspaceId, filter.updatedSince);
  const { envelope, rows } = await readPageOf(
    db,
    request,
    NEWEST,
    (at) => filtered(at, workspaceId, filter).where(hasChanged),
    (found, columns) => found.select(["subscriptions.id", ...columns]),
  );
  return { envelope, rows: await selectPurchases(db, workspaceId, rows) };
}

function filtered(
  db: Kysely<Tables>,
  workspaceId: string,
  { subscription, advertiserId, clientReference, ids, ad }: PurchaseFilter,
) {
  const hasAd = hasRow(
    db
      .selectFrom("ads")
      .where("ads.subscription_id", "=", sql.ref<string>("subscriptions.id"))
      .select("ads.id"),
  );
  let found = db
    .selectFrom("subscriptions")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where((where) => isSubscription(where, subscription));
  if (advertiserId !== undefined) {
    found = found.where("subscriptions.advertiser_id", "=", idOrNone("advertiser", advertiserId));
  }
  if (clientReference !== undefined)
    found = found.where("subscriptions.client_reference", "=", clientReference);
  if (ids !== undefined) found = found.where("subscriptions.id", "=", anyOf("subscription", ids));
  if (ad === "submitted") found = found.where(hasAd);
  if (ad === "awaited") {
    found = found
      .where((where) => where.not(hasAd))
      .where("subscriptions.status", "not in", ["Canceled", "Incomplete", "IncompleteExpired"]);
  }
  return found;
}

async function selectPurchases(db: Kysely<Tables>, workspaceId: string, page: readonly { id: string }[]) {
  if (page.length === 0) return [];
  const ids = page.map(({ id }) => id);
  return await db
    .selectFrom("subscriptions")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.id", "=", sql<string>`any(${ids}::text[])`)
    .select(PURCHASE_COLUMNS)
    // No join: where few ads are expected, each row would be held against all of them.
    .select((one) =>
      one
        .selectFrom("ads")
        .whereRef("ads.subscription_id", "=", "subscriptions.id")
        .select("ads.id")
        .as("ad_id"),
    )
    .orderBy("subscriptions.created_at", "desc")
    .orderBy("subscriptions.id", "desc")
    .execute();
}
