import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { SubscriptionFilter } from "#libs/domain/subscription.ts";
import { api, forMembers } from "../api/api.ts";
import { type Order, orderKey } from "../api/cursor.ts";
import { type PageRequest, readPageOf } from "../api/pages.ts";
import { anyOf, idOrNone } from "../store/any-of.ts";
import { isChangedSubscription } from "./changed.ts";
import { presentPurchase } from "./present.ts";
import { PURCHASE_COLUMNS } from "./queries.ts";
import { isSubscription } from "./subscription-filter.ts";

export const subscriptionRoutes = {
  list: forMembers(api.subscriptions.list, async ({ input, context: { db, access } }) => {
    const { envelope, rows } = await listSubscriptions(db, access.workspaceId, input, input);
    return { ...envelope, items: rows.map(presentPurchase) };
  }),
};

const NEWEST: Order = {
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
  { subscription, advertiserId, clientReference, ids, updatedSince, ad }: PurchaseFilter,
  request: PageRequest,
) {
  const hasChanged = await isChangedSubscription("subscriptions.id", db, workspaceId, updatedSince);
  return await readPageOf(
    db,
    request,
    NEWEST,
    (at) =>
      at
        .selectFrom("subscriptions")
        // With the workspace on every joined table, so that Postgres searches none of them across workspaces.
        .leftJoin("ads", (join) =>
          join.onRef("ads.subscription_id", "=", "subscriptions.id").on("ads.workspace_id", "=", workspaceId),
        )
        .where("subscriptions.workspace_id", "=", workspaceId)
        .where((where) => isSubscription(where, subscription))
        .$if(advertiserId !== undefined, (query) =>
          query.where("subscriptions.advertiser_id", "=", idOrNone("advertiser", advertiserId ?? "")),
        )
        .$if(clientReference !== undefined, (query) =>
          query.where("subscriptions.client_reference", "=", clientReference ?? ""),
        )
        .$if(ids !== undefined, (query) =>
          query.where("subscriptions.id", "=", anyOf("subscription", ids ?? [])),
        )
        .where(hasChanged)
        .$if(ad === "submitted", (query) => query.where("ads.id", "is not", null))
        .$if(ad === "awaited", (query) =>
          query
            .where("ads.id", "is", null)
            .where("subscriptions.status", "not in", ["Canceled", "Incomplete", "IncompleteExpired"]),
        ),
    (found, columns) =>
      // Joined only to what is shown: the count needs none of these.
      found
        .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
        .innerJoin("prices", "prices.id", "subscriptions.price_id")
        .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
        .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
        .where("tiers.workspace_id", "=", workspaceId)
        .where("prices.workspace_id", "=", workspaceId)
        .where("advertisers.workspace_id", "=", workspaceId)
        .select([...PURCHASE_COLUMNS, "ads.id as ad_id"])
        .select(columns),
  );
}
