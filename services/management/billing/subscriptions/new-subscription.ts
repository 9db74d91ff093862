import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { recordChange } from "../../audit/record.ts";
import { referenceColumns } from "../checkout/reference.ts";
import { auditedState, type Billing, PROCESSOR, type SyncOutcome } from "../mirror.ts";
import { queueCharging } from "./charging-queries.ts";
import { type Columns, subscriptionColumns } from "./columns.ts";
import { findSold, upsertAdvertiser } from "./purchase.ts";

/** Adds a subscription that was sold here; null where another attempt has just added it. */
export async function insertSubscription(
  trx: Transaction<Tables>,
  { now, payments }: Pick<Billing, "now" | "payments">,
  subscription: ProcessorSubscription,
  account: string | null,
  sequence: number,
): Promise<SyncOutcome | null> {
  const { metadata } = subscription;
  const price = (await findSold(trx, account, [metadata]))(metadata);
  if (price === undefined) return { id: null, changed: false };
  const { workspace_id: workspaceId } = price;
  const advertiserId = await upsertAdvertiser(trx, workspaceId, subscription);
  const columns = subscriptionColumns(subscription, null);
  const row = await trx
    .insertInto("subscriptions")
    .values({
      id: newId("subscription"),
      workspace_id: workspaceId,
      advertiser_id: advertiserId,
      tier_id: price.tier_id,
      price_id: price.id,
      provider_subscription_id: subscription.id,
      provider_account: account,
      sync_version: sequence,
      charge_at: subscription.chargeAt,
      ...referenceColumns(subscription.metadata),
      created_at: new Date(subscription.createdAt),
      ...columns,
    })
    .onConflict((conflict) => conflict.column("provider_subscription_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row === undefined) return null;
  const audited = auditedColumns(columns);
  const sale = { advertiserId, tierId: price.tier_id, tierPriceId: price.id };
  await recordChange(trx, PROCESSOR, {
    workspaceId,
    action: "subscription.create",
    resourceId: row.id,
    after: { ...sale, chargeAt: subscription.chargeAt, ...auditedState(audited, audited) },
  });
  await queueCharging(trx, row.id, payments.moment(now()).atProcessor);
  return { id: row.id, changed: true };
}

/** Leaves out columns that repeat what the audit log has: the review ends the wait for approval, and the status shows a debt. */
export function auditedColumns(columns: Columns) {
  const { awaits_approval: _review, is_collected: _collected, owed_invoice: _owed, ...audited } = columns;
  return audited;
}
