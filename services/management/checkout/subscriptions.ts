import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";
import type { Services } from "../services.ts";
import { settleServing } from "../serving-feed/span.ts";

/** Writes the processor's current word on a subscription that we have. */
export async function recordSubscription(
  trx: Transaction<Tables>,
  subscriptionId: string,
  provider: ProviderSubscription,
): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ ...stateColumns(provider), updated_at: new Date() })
    .where("id", "=", subscriptionId)
    .execute();
}

/**
 * Brings our subscription in line with the processor's: reads what it is now, and creates or updates the advertiser and
 * the subscription. What arrives late, twice or out of order only makes us look again, so the newest state wins.
 * Returns our id, or null for a subscription that was not sold here.
 */
export async function syncSubscription(
  services: Services,
  providerSubscriptionId: string,
): Promise<string | null> {
  return await services.db.transaction().execute(async (trx) => {
    // One look at a time, and none while a change of ours is under way: what was read earlier must not be written later.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`subscription:${providerSubscriptionId}`}, 0))`.execute(
      trx,
    );
    const known = await trx
      .selectFrom("subscriptions")
      .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
      .where("provider_subscription_id", "=", providerSubscriptionId)
      .select(["subscriptions.id", "ads.id as ad_id"])
      .forUpdate("subscriptions")
      .executeTakeFirst();
    const provider = await services.payments.readSubscription(providerSubscriptionId);
    if (known === undefined) return await insertSubscription(trx, provider);

    await recordSubscription(trx, known.id, provider);
    if (known.ad_id !== null) await settleServing(trx, known.ad_id, services.now());
    return known.id;
  });
}

async function insertSubscription(
  trx: Transaction<Tables>,
  provider: ProviderSubscription,
): Promise<string | null> {
  const { workspaceId = "", tierPriceId = "" } = provider.metadata;
  const price = await findSoldPrice(trx, workspaceId, tierPriceId);
  if (price === undefined) return null;
  const advertiserId = await upsertAdvertiser(trx, workspaceId, provider);
  const { id } = await trx
    .insertInto("subscriptions")
    .values({
      id: newId("subscription"),
      workspace_id: workspaceId,
      advertiser_id: advertiserId,
      tier_id: price.tier_id,
      price_id: price.id,
      provider_subscription_id: provider.id,
      ...stateColumns(provider),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function findSoldPrice(db: Kysely<Tables>, workspaceId: string, priceId: string) {
  if (!isId("workspace", workspaceId) || !isId("price", priceId)) return undefined;
  return await db
    .selectFrom("prices")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", priceId)
    .select(["id", "tier_id"])
    .executeTakeFirst();
}

/** The workspace's advertiser with the customer's address; a first purchase makes one. */
async function upsertAdvertiser(
  trx: Transaction<Tables>,
  workspaceId: string,
  provider: ProviderSubscription,
): Promise<string> {
  const email = provider.email?.toLowerCase() ?? null;
  const { id } = await trx
    .insertInto("advertisers")
    .values({
      id: newId("advertiser"),
      workspace_id: workspaceId,
      name: provider.name ?? email?.split("@")[0] ?? "Advertiser",
      email,
      provider_customer_id: provider.customerId,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "email"]).doUpdateSet({
        provider_customer_id: provider.customerId,
        ...(provider.name === null ? {} : { name: provider.name }),
        updated_at: new Date(),
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

function stateColumns(provider: ProviderSubscription) {
  return {
    status: provider.status,
    cancel_at_period_end: provider.cancelAtPeriodEnd,
    cancel_at: asDate(provider.cancelAt),
    canceled_at: asDate(provider.canceledAt),
    cancellation_reason: provider.cancellationReason,
    cancellation_feedback: provider.cancellationFeedback,
    cancellation_comment: provider.cancellationComment,
    current_period_start: asDate(provider.currentPeriodStart),
    current_period_end: asDate(provider.currentPeriodEnd),
    trial_end: asDate(provider.trialEnd),
    paid_amount: provider.paidAmount,
  };
}

function asDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
