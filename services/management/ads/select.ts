import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** An ad with its subscription, and with the tier, price and advertiser of that. */
export type AdRow = Awaited<ReturnType<ReturnType<typeof selectAds>["execute"]>>[number];

/** All ads of all workspaces in no order; the columns are named, as a prepared statement needs. */
export function selectAds(db: Kysely<Tables>) {
  return db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .select([
      "ads.id",
      "ads.workspace_id",
      "ads.subscription_id",
      "ads.name",
      "ads.website_url",
      "ads.favicon_url",
      "ads.meta",
      "ads.images_elsewhere",
      "ads.status",
      "ads.reviewed_at",
      "ads.rejection_note",
      "ads.serving_since",
      "ads.serving_until",
      "ads.created_at",
      "ads.updated_at",
      "subscriptions.status as subscription_status",
      "subscriptions.provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.sync_version",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.canceled_at",
      "subscriptions.cancellation_reason",
      "subscriptions.cancellation_feedback",
      "subscriptions.cancellation_comment",
      "subscriptions.current_period_start",
      "subscriptions.current_period_end",
      "subscriptions.trial_end",
      "subscriptions.paid_amount",
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
    ]);
}
