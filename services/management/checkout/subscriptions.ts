import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { SubscriptionsTable, Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";
import { recordChange } from "../audit/record.ts";
import type { Services } from "../services.ts";
import { settleServing } from "../serving-feed/span.ts";
import { upsertAdvertiser } from "./advertisers.ts";
import { auditedState, stateColumns } from "./subscription-state.ts";

const PROCESSOR = { kind: "processor", name: "Payment processor" } as const;

/** Writes the processor's current word on a subscription that the transaction has locked. */
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
 * the subscription. What arrives late, twice or out of order only makes us look again, so the newest state wins, and
 * where there is nothing new nothing is written. Returns our id, or null for a subscription that was not sold here.
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
      .where("provider_subscription_id", "=", providerSubscriptionId)
      .selectAll()
      .forUpdate()
      .executeTakeFirst();
    const provider = await services.payments.readSubscription(providerSubscriptionId, null);
    if (known === undefined) return await insertSubscription(trx, provider);
    await updateSubscription(trx, known, provider, services.now());
    return known.id;
  });
}

async function updateSubscription(
  trx: Transaction<Tables>,
  known: Selectable<SubscriptionsTable>,
  provider: ProviderSubscription,
  now: number,
): Promise<void> {
  const before = auditedState(known);
  const after = auditedState(stateColumns(provider));
  if (JSON.stringify(before) === JSON.stringify(after)) return;

  await recordSubscription(trx, known.id, provider);
  await recordChange(trx, PROCESSOR, {
    workspaceId: known.workspace_id,
    action: "subscription.update",
    resourceId: known.id,
    before,
    after,
  });
  // Looked up only now, under the subscription's lock: an ad submitted while we waited for it is seen.
  const ad = await trx
    .selectFrom("ads")
    .where("subscription_id", "=", known.id)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  if (ad !== undefined) await settleServing(trx, ad.id, now);
}

async function insertSubscription(
  trx: Transaction<Tables>,
  provider: ProviderSubscription,
): Promise<string | null> {
  const { workspaceId = "", tierPriceId = "" } = provider.metadata;
  const price = await findSoldPrice(trx, workspaceId, tierPriceId);
  if (price === undefined) return null;
  const advertiserId = await upsertAdvertiser(trx, workspaceId, provider);
  const row = await trx
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
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(trx, PROCESSOR, {
    workspaceId,
    action: "subscription.create",
    resourceId: row.id,
    after: { advertiserId, tierId: price.tier_id, tierPriceId: price.id, ...auditedState(row) },
  });
  return row.id;
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
