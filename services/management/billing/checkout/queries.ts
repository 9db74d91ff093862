import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";

/** The processor's ids are short and plain; anything else does not exist. */
const SESSION_ID = /^[A-Za-z0-9_]{16,200}$/;

export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof findCheckout>>>;

/** The checkout session with that id, with its workspace, tier and price; undefined when there is none. */
export async function findCheckout(db: Kysely<Tables>, sessionId: string) {
  if (!SESSION_ID.test(sessionId)) return undefined;
  return await db
    .selectFrom("checkout_sessions as session")
    .innerJoin("workspaces", "workspaces.id", "session.workspace_id")
    .innerJoin("prices", "prices.id", "session.price_id")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .where("session.id", "=", sessionId)
    .select([
      "session.id",
      "session.workspace_id",
      "session.status",
      "session.subscription_id",
      "session.provider_account",
      "session.created_at",
      "workspaces.name as workspace_name",
      "workspaces.erasing_since",
      "prices.id as price_id",
      "prices.interval",
      "prices.interval_count",
      "prices.amount",
      "prices.currency",
      "tiers.id as tier_id",
      "tiers.name as tier_name",
      "tiers.description as tier_description",
      "tiers.weight as tier_weight",
      "tiers.features as tier_features",
    ])
    .executeTakeFirst();
}

/** The ad that was submitted for a subscription; undefined before the first submission, and before payment. */
export async function findSubmittedAd(db: Kysely<Tables>, subscriptionId: string | null) {
  if (subscriptionId === null) return undefined;
  return await db
    .selectFrom("ads")
    .where("subscription_id", "=", subscriptionId)
    .selectAll()
    .executeTakeFirst();
}

/**
 * Locks a subscription, and returns its status and the name of its advertiser. Throws 404 for an erased one, whose checkout sessions are
 * gone. That is asked after the lock: who waits for it does not see what was committed to other tables meanwhile.
 */
export async function lockBuyer(trx: Transaction<Tables>, subscriptionId: string) {
  const { advertiser_id: advertiserId, status } = await trx
    .selectFrom("subscriptions")
    .where("id", "=", subscriptionId)
    .select(["advertiser_id", "status"])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const advertiser = await trx
    .selectFrom("advertisers")
    .where("id", "=", advertiserId)
    .where("erased_at", "is", null)
    .select("name")
    .executeTakeFirst();
  if (advertiser === undefined) throw notFound("Checkout session");
  return { advertiserName: advertiser.name, status };
}

/** The ad of a subscription, locked; undefined before the first submission. */
export async function lockSubmittedAd(trx: Transaction<Tables>, subscriptionId: string) {
  return await trx
    .selectFrom("ads")
    .where("subscription_id", "=", subscriptionId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}
