import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { ComparedPrice } from "#libs/domain/price-choice.ts";
import { paidTimeOf } from "./outlook.ts";

/** A subscription as letters describe it. */
export interface SaleFacts {
  readonly workspace: string;
  readonly advertiser: string;
  /** Null before the first submission. */
  readonly ad: string | null;
  readonly tier: string;
  readonly price: ComparedPrice;
  /** Null without a page to send the reader to. */
  readonly url: string | null;
}

export type SaleRow = NonNullable<Awaited<ReturnType<typeof findSale>>>;

/** The seller, the buyer, the tier, the price and the ad of a subscription. */
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
      "subscriptions.created_at",
      "subscriptions.current_period_end",
      "subscriptions.trial_end",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.charge_at",
      "subscriptions.awaits_approval",
      "subscriptions.is_period_void",
      "subscriptions.renewal_failed_at",
      "subscriptions.stopped_at",
      "subscriptions.stop_bill",
      "subscriptions.paid_amount",
      "workspaces.name as workspace",
      "workspaces.contact_email",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
      "workspaces.erasing_since",
      "workspaces.erasing_refunds",
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
      "ads.status as ad_status",
      "ads.rejection_note",
      "ads.serving_since",
      "checkout_sessions.id as session_id",
      "checkout_sessions.letters_withheld",
    ])
    .limit(1)
    .executeTakeFirst();
}

/** How far the review had come of an ad that was never on the air. */
export type Unshown = "not reviewed" | "not approved" | "approved";

/** How far the review of a sale's ad has come; null without an ad, and for one that has been on the air. */
export function unshownOf({
  ad_status: status,
  serving_since: since,
  rejection_note: note,
}: SaleRow): Unshown | null {
  if (status === null || since !== null) return null;
  if (status === "Approved") return "approved";
  return note === null ? "not reviewed" : "not approved";
}

/** When the time ends that a buyer has paid for and that passes without an approved ad; null where none passes, or no longer. */
export function paidUntilOf(sale: SaleRow, now: ProcessorTime): Date | null {
  const end = paidTimeOf(sale, now);
  return end === "over" || end === null ? null : new Date(end);
}

/** The row as letters describe it, with the page to go to. */
export function saleFacts(sale: SaleRow, url: string | null): SaleFacts {
  const { workspace, advertiser, ad, tier, amount, currency, interval, interval_count: intervalCount } = sale;
  return { workspace, advertiser, ad, tier, price: { amount, currency, interval, intervalCount }, url };
}

/** `“Fresh beans” in Gold`. */
export function saleOf({ ad, tier }: Pick<SaleFacts, "ad" | "tier">): string {
  return ad === null ? tier : `“${ad}” in ${tier}`;
}
