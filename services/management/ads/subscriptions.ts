import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { SubscriptionFilter } from "#libs/domain/subscription.ts";
import { api, forMembers } from "../api/api.ts";
import { type PageRequest, readPageOf } from "../api/pages.ts";
import { presentPurchase } from "./present.ts";
import { isSubscription } from "./subscription-filter.ts";

export const subscriptionRoutes = {
  list: forMembers(api.subscriptions.list, async ({ input, context: { db, access } }) => {
    const { envelope, rows } = await listSubscriptions(db, access.workspaceId, input, input);
    return { ...envelope, items: rows.map(presentPurchase) };
  }),
};

interface PurchaseFilter {
  readonly subscription?: SubscriptionFilter | undefined;
  readonly ad?: "submitted" | "awaited" | undefined;
}

/** One page of a workspace's subscriptions with their ad, if there is one, newest first. */
export async function listSubscriptions(
  db: Kysely<Tables>,
  workspaceId: string,
  { subscription, ad }: PurchaseFilter,
  request: PageRequest,
) {
  return await readPageOf(
    db,
    request,
    (at) =>
      at
        .selectFrom("subscriptions")
        .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
        .innerJoin("prices", "prices.id", "subscriptions.price_id")
        .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
        .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
        .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
        .where("subscriptions.workspace_id", "=", workspaceId)
        .$if(subscription !== undefined, (query) =>
          query.where((where) => isSubscription(where, subscription ?? "PastDue")),
        )
        .$if(ad === "submitted", (query) => query.where("ads.id", "is not", null))
        .$if(ad === "awaited", (query) =>
          query
            .where("ads.id", "is", null)
            .where("subscriptions.status", "not in", ["Canceled", "Incomplete", "IncompleteExpired"]),
        ),
    (found, total) =>
      found
        .select([
          "subscriptions.id as subscription_id",
          "subscriptions.status as subscription_status",
          "subscriptions.cancel_at_period_end",
          "subscriptions.cancel_at",
          "subscriptions.canceled_at",
          "subscriptions.cancellation_reason",
          "subscriptions.cancellation_feedback",
          "subscriptions.cancellation_comment",
          "subscriptions.current_period_start",
          "subscriptions.current_period_end",
          "subscriptions.paid_amount",
          "subscriptions.charge_at",
          "subscriptions.awaits_approval",
          "subscriptions.renewal_failed_at",
          "workspaces.renewal_grace_days",
          "subscriptions.created_at as subscription_created_at",
          "subscriptions.updated_at as subscription_updated_at",
          "tiers.id as tier_id",
          "tiers.name as tier_name",
          "tiers.weight as tier_weight",
          "prices.id as price_id",
          "prices.interval",
          "prices.interval_count",
          "prices.amount",
          "prices.currency",
          "advertisers.id as advertiser_id",
          "advertisers.name as advertiser_name",
          "advertisers.email as advertiser_email",
          "ads.id as ad_id",
        ])
        .select(total)
        .orderBy("subscriptions.created_at", "desc")
        .orderBy("subscriptions.id", "desc"),
  );
}
