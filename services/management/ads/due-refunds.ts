import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { PaymentsError, type ProcessorSubscription } from "#libs/payments/index.ts";
import type { Actor } from "../api/access/granted.ts";
import type { Outsider } from "../audit/record.ts";
import { auditRefund } from "../billing/ledger/refund.ts";
import { type Billing, PROCESSOR } from "../billing/mirror.ts";
import { mailLinks } from "../mail/links.ts";
import { overdueRefundNotice } from "../mail/publisher-letters.ts";
import { mailRefund } from "../mail/refund-letter.ts";
import { findSale, saleFacts } from "../mail/sales.ts";
import { mailPublisher } from "../mail/to-publisher.ts";
import { enqueue } from "../queue/enqueue.ts";
import { type EndedSale, type RejectionRefund, refundRejected } from "./rejection-refund.ts";

/**
 * Refunds what a rejection is due, as `refundRejected` does, or `due` where the processor does not make it now: an account
 * without enough balance refuses refunds, and the subscription has ended all the same.
 */
export async function refundOrOwe(
  billing: Billing,
  ad: EndedSale,
  ended: ProcessorSubscription,
  wanted: boolean,
): Promise<RejectionRefund | "due" | null> {
  try {
    return await refundRejected(billing, ad, ended, wanted);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    billing.logger.warn({ err: error, ad: ad.id }, "a refund is due: the payment processor did not make it");
    return wanted ? "due" : null;
  }
}

/** A refund that is due for so long needs the publisher. */
const OVERDUE_AFTER_MS = 24 * 60 * 60_000;

/** Records that a refund is due, and queues it; in the transaction that records the rejection. The publisher is told if it is not made within a day. */
export async function oweRefund(
  trx: Transaction<Tables>,
  { workspace_id: workspaceId, subscription_id: subscriptionId }: SubscriptionOf,
  since: Date,
): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ refund_due_since: since })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", subscriptionId)
    .execute();
  await enqueue(trx, "refund-due", { subscriptionId });
  await enqueue(trx, "refund-overdue", { subscriptionId }, { afterMs: OVERDUE_AFTER_MS });
}

interface SubscriptionOf {
  readonly workspace_id: string;
  readonly subscription_id: string;
}

/**
 * Makes the refund that is due for a subscription, and tells the advertiser; nothing where none is due. A repetition finds what
 * was made before. Throws `PaymentsError`; the job is then tried again, and the hourly comparison queues it again after that.
 */
export async function settleDueRefund(billing: Billing, subscriptionId: string): Promise<void> {
  const { db, payments, now } = billing;
  const due = await db
    .selectFrom("subscriptions")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .where("subscriptions.id", "=", subscriptionId)
    .where("subscriptions.refund_due_since", "is not", null)
    .select([
      "ads.id as ad_id",
      "subscriptions.workspace_id",
      "subscriptions.id as subscription_id",
      "ads.serving_since",
      "prices.currency",
      "subscriptions.provider_account",
      "subscriptions.provider_subscription_id",
    ])
    .executeTakeFirst();
  if (due === undefined) return;
  const ended = await payments.readSubscription(due.provider_subscription_id, due.provider_account);
  // Its end was decided and is still to be made: the refund depends on when it is.
  if (!hasEnded(ended.status)) return;
  const sale = { ...due, id: due.ad_id ?? subscriptionId };
  const refunded = await refundRejected(billing, sale, ended, true);
  await db.transaction().execute(async (trx) => {
    const settled = await trx
      .updateTable("subscriptions")
      .set({ refund_due_since: null })
      .where("id", "=", subscriptionId)
      .where("refund_due_since", "is not", null)
      .returning("id")
      .executeTakeFirst();
    if (settled === undefined || refunded === null) return;
    await auditRefunds(trx, PROCESSOR, due, refunded, now());
    const { amount, currency } = refunded;
    const { workspace_id: workspaceId } = due;
    const letter = { workspaceId, subscriptionId, invoice: null, amount, currency, reason: null, note: null };
    await mailRefund(trx, billing, letter);
  });
}

/** Emails the publisher about a refund that is still due. */
export async function tellOverdueRefund(billing: Billing, subscriptionId: string): Promise<void> {
  await billing.db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom("subscriptions")
      .where("id", "=", subscriptionId)
      .where("refund_due_since", "is not", null)
      .select("workspace_id")
      .executeTakeFirst();
    const sale = due && (await findSale(trx, due.workspace_id, subscriptionId));
    if (sale === undefined) return;
    const { workspace_id: workspaceId, advertiser_id: advertiserId } = sale;
    const url = mailLinks(billing.publicUrl).advertiser(workspaceId, advertiserId);
    const letter = overdueRefundNotice(saleFacts(sale, url));
    await mailPublisher(trx, billing, workspaceId, "subscriptionCanceled", letter);
  });
}

/** Records who made the refunds of a rejection. */
export async function auditRefunds(
  trx: Transaction<Tables>,
  actor: Actor | Outsider,
  { workspace_id: workspaceId }: SubscriptionOf,
  refunded: RejectionRefund | null,
  now: number,
): Promise<void> {
  for (const refundId of refunded?.refundIds ?? []) {
    await auditRefund(trx, actor, { workspaceId, refundId }, now);
  }
}
