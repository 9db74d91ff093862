import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { SaleFacts } from "./language.ts";

export type SaleRow = NonNullable<Awaited<ReturnType<typeof findSale>>>;

/** What mails tell of a subscription: who sold what to whom, and the ad that came of it. */
export async function findSale(trx: Transaction<Tables>, workspaceId: string, subscriptionId: string) {
  return await trx
    .selectFrom("subscriptions")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .leftJoin("checkout_sessions", "checkout_sessions.subscription_id", "subscriptions.id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.id", "=", subscriptionId)
    .select([
      "subscriptions.id",
      "subscriptions.workspace_id",
      "subscriptions.status",
      "subscriptions.trial_end",
      "workspaces.name as workspace",
      "advertisers.id as advertiser_id",
      "advertisers.name as advertiser",
      "advertisers.email",
      "tiers.name as tier",
      "prices.amount",
      "prices.currency",
      "prices.interval",
      "prices.interval_count",
      "ads.id as ad_id",
      "ads.name as ad",
      "checkout_sessions.id as session_id",
    ])
    .limit(1)
    .executeTakeFirst();
}

/** What is paid for it and how often, as mails say it. */
export function priceFacts(sale: SaleRow): SaleFacts["price"] {
  return {
    amount: sale.amount,
    currency: sale.currency,
    interval: sale.interval,
    intervalCount: sale.interval_count,
  };
}

/** The same as mails say it, with the page to go to. */
export function saleFacts(sale: SaleRow, url: string | null): SaleFacts {
  return {
    workspace: sale.workspace,
    advertiser: sale.advertiser,
    ad: sale.ad,
    tier: sale.tier,
    price: priceFacts(sale),
    url,
  };
}
