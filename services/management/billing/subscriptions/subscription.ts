import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Moment } from "#libs/domain/moment.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { PaymentsError, type ProcessorSubscription } from "#libs/payments/index.ts";
import { recordChange } from "../../audit/record.ts";
import { refreshServingWindow } from "../../snapshots/publish.ts";
import { mailBillingNews } from "../letters/billing-news.ts";
import {
  auditedState,
  type Billing,
  beginSync,
  hasState,
  PROCESSOR,
  type SyncOutcome,
  sync,
} from "../mirror.ts";
import { queueCharging } from "./charging-queries.ts";
import { type Columns, subscriptionColumns } from "./columns.ts";
import { endIfEndedMeanwhile, orLost } from "./lost-account.ts";
import { auditedColumns, insertSubscription } from "./new-subscription.ts";
import { findSold } from "./purchase.ts";
import { claimEnded, IS_ENDED_HERE } from "./subscription-claim.ts";
import { withUnwrittenStop } from "./unwritten-stop.ts";

/** A sync waits this long, in milliseconds, for a change in progress here. The change records the state itself. */
const SYNC_AWAITS_CLAIM_MS = 2_000;
const BEING_ENDED = "The publisher is ending the subscription.";

/** What lives again, in an account that is back, has invoices to be settled at its end. */
const NOT_CLEARED = { cleared_at: null };

/** An erased advertiser's words about the cancellation must not come back. */
const WITHOUT_WORDS = { cancellation_comment: null, cancellation_feedback: null };

/**
 * Mirrors a subscription (`sync`), with the advertiser who bought it. Waits for a change that the ads room is making at the
 * processor, because that change records the answer itself. Throws `PaymentsError`, also if a change that ends the subscription
 * outlasts the wait.
 */
export async function syncSubscription(
  billing: Billing,
  subscriptionId: string,
  account: string | null,
): Promise<SyncOutcome> {
  const deadline = performance.now() + SYNC_AWAITS_CLAIM_MS;
  const timeLeft = () => Math.max(0, deadline - performance.now());
  const known = (subscription: ProcessorSubscription, row: LockedSubscription) =>
    withUnwrittenStop(subscription, row, billing.payments.moment(billing.now()).atProcessor);
  return await sync<Columns, LockedSubscription, ProcessorSubscription>(billing.db, subscriptionId, {
    prepare: async (id) => await claimEnded(billing.db, id, timeLeft()),
    version: subscriptionVersion,
    read: async (id, { knownVersion }) =>
      knownVersion === null
        ? await readIfSold(billing, id, account)
        : await orLost(billing, id, readKnown(billing, id, account), "ends with its period"),
    lock: lockSubscription,
    // The state may come from a change made here, which its author is about to record under their own name.
    isBusy: (row) => {
      if (row.is_claimed && timeLeft() > 0) return true;
      // If the publisher's change succeeds, it sends its own letter. If it fails, a later sync records the end as news.
      if (row.is_ended_here) throw new PaymentsError("PROCESSOR_FAILED", BEING_ENDED, true);
      return false;
    },
    columns: (subscription, row) => ({
      ...subscriptionColumns(known(subscription, row), row.free_until),
      ...(row.is_erased ? WITHOUT_WORDS : {}),
    }),
    write: writeSubscription,
    async onChange(trx, row, columns, subscription) {
      const audited = auditedColumns(columns);
      if (!hasState(row, audited)) {
        await recordChange(trx, PROCESSOR, {
          workspaceId: row.workspace_id,
          action: "subscription.update",
          resourceId: row.id,
          before: auditedState(row, audited),
          after: auditedState(audited, audited),
        });
      }
      const moment = billing.payments.moment(billing.now());
      await updateServing(trx, row, moment);
      await queueCharging(trx, row.id, moment.atProcessor);
      const cancellationComment = columns.cancellation_comment;
      await mailBillingNews(trx, billing, row, { ...known(subscription, row), cancellationComment });
    },
    insert: async (trx, subscription, sequence) =>
      await insertSubscription(trx, billing, subscription, account, sequence),
  });
}

/** A subscription with a row here. */
async function readKnown(billing: Billing, id: string, account: string | null) {
  return await endIfEndedMeanwhile(billing, await billing.payments.readSubscription(id, account));
}

/** A subscription without a row here; null, after one call, for one that was not sold here. */
async function readIfSold({ db, payments }: Billing, id: string, account: string | null) {
  const found = await payments.findSubscription(id, account);
  const isSold = (await findSold(db, account, [found.metadata]))(found.metadata) !== undefined;
  return isSold ? await found.whole() : null;
}

/** Begins to read a subscription at the processor in order to record it. */
export async function beginSubscriptionSync(db: Kysely<Tables>, subscriptionId: string) {
  return await beginSync(db, subscriptionVersion, subscriptionId);
}

/** The `sync_version` of the subscription with the processor's id. */
export function subscriptionVersion(db: Kysely<Tables>, subscriptionId: string) {
  return db
    .selectFrom("subscriptions")
    .where("provider_subscription_id", "=", subscriptionId)
    .select("sync_version");
}

/** Our row, locked, with whether a change of it is in progress here, and whether its advertiser was erased. */
async function lockSubscription(trx: Transaction<Tables>, subscriptionId: string) {
  const row = await trx
    .selectFrom("subscriptions")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .where("provider_subscription_id", "=", subscriptionId)
    .selectAll("subscriptions")
    .select([
      "subscriptions.status as subscription_status",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
      sql<boolean>`coalesce(claimed_until > now(), false)`.as("is_claimed"),
      IS_ENDED_HERE.as("is_ended_here"),
    ])
    .forUpdate("subscriptions")
    .executeTakeFirst();
  return row && { ...row, is_erased: await isErased(trx, row) };
}

/**
 * Whether the advertiser of a subscription that the transaction has locked was erased. This needs a separate statement: a
 * statement that waits for a lock does not see what is committed to other tables meanwhile.
 */
async function isErased(
  trx: Transaction<Tables>,
  row: Pick<SubscriptionRow, "workspace_id" | "advertiser_id">,
): Promise<boolean> {
  const erased = await trx
    .selectFrom("advertisers")
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", row.advertiser_id)
    .where("erased_at", "is not", null)
    .select("id")
    .executeTakeFirst();
  return erased !== undefined;
}

type LockedSubscription = NonNullable<Awaited<ReturnType<typeof lockSubscription>>>;

type SubscriptionRow = Selectable<Tables["subscriptions"]>;

/** Writes columns of a subscription that the transaction has locked. `sequence` is the number of the attempt that read them. */
export async function writeSubscription(
  trx: Transaction<Tables>,
  row: Pick<SubscriptionRow, "id" | "workspace_id" | "advertiser_id">,
  columns: Partial<Columns>,
  sequence: number,
): Promise<void> {
  const isChange = Object.keys(columns).length > 0;
  const change = {
    ...columns,
    ...(columns.status === undefined || hasEnded(columns.status) ? {} : NOT_CLEARED),
    ...((await isErased(trx, row)) ? WITHOUT_WORDS : {}),
    updated_at: new Date(),
  };
  await trx
    .updateTable("subscriptions")
    .set({ ...(isChange ? change : {}), sync_version: sequence })
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", row.id)
    .execute();
}

/**
 * Updates the serving window of the ad of a subscription that the transaction has locked. Reads the ad under that lock, and so finds
 * an ad that was submitted while the transaction waited.
 */
export async function updateServing(
  trx: Transaction<Tables>,
  row: { readonly id: string; readonly workspace_id: string },
  moment: Moment,
): Promise<void> {
  const ad = await trx
    .selectFrom("ads")
    .where("workspace_id", "=", row.workspace_id)
    .where("subscription_id", "=", row.id)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  if (ad !== undefined) await refreshServingWindow(trx, ad.id, moment);
}
