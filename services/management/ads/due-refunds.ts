import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasEnded, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import { PaymentsError, type ProcessorSubscription } from "#libs/payments/index.ts";
import type { Actor } from "../api/access/granted.ts";
import type { Outsider } from "../audit/record.ts";
import { closingOf } from "../billing/closing.ts";
import { auditRefund } from "../billing/ledger/refund.ts";
import { type Billing, PROCESSOR } from "../billing/mirror.ts";
import { endIfEndedMeanwhile } from "../billing/subscriptions/lost-account.ts";
import { underClaim } from "../billing/subscriptions/subscription-claim.ts";
import type { RefundNews } from "../mail/decision-letters.ts";
import { mailLinks } from "../mail/links.ts";
import { overdueRefundNotice } from "../mail/publisher-letters.ts";
import { mailRefund } from "../mail/refund-letter.ts";
import { findSale, saleFacts } from "../mail/sales.ts";
import { mailPublisherOfRefund } from "../mail/to-publisher.ts";
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

/** When a refund that was intended is made by a job, unless the change that intends it has recorded it: the claim has expired then. */
const INTENDED_FOR_MS = 2 * 60_000;

/**
 * Records whether a rejection or a cancellation is to refund, before the processor is asked to end the subscription: whatever becomes of
 * its answer and of this process, the refund follows the end, and what an earlier attempt wanted no longer counts. Of a subscription that
 * has ended nothing is recorded: a repetition of the change finds what was refunded. Call `recordRefunds` with what was made.
 */
export async function intendRefund(
  trx: Transaction<Tables>,
  sold: SubscriptionOf & { readonly subscription_status: SubscriptionStatus },
  wanted: boolean,
  since: Date,
): Promise<void> {
  if (hasEnded(sold.subscription_status)) return;
  await setDue(trx, sold, wanted ? since : null);
  if (!wanted) return;
  const { subscription_id: subscriptionId, workspace_id: workspaceId } = sold;
  await enqueue(trx, "refund-due", { subscriptionId, workspaceId }, { afterMs: INTENDED_FOR_MS });
}

/**
 * Records the refunds that were made, or that one is still due; the publisher gets an email if it is not made within a day. A change for
 * which none is `wanted` leaves what was due before. Returns what the advertiser learns: of refunds that were recorded earlier they were told
 * then, and where one was wanted and none was due, all that is unused was refunded before.
 */
export async function recordRefunds(
  trx: Transaction<Tables>,
  actor: Actor,
  sold: SubscriptionOf,
  { refunded, wanted }: { readonly refunded: RejectionRefund | "due" | null; readonly wanted: boolean },
  now: number,
): Promise<RefundNews> {
  if (wanted) await setDue(trx, sold, refunded === "due" ? new Date(now) : null);
  if (refunded === null) return wanted ? "earlier" : null;
  if (refunded !== "due") {
    return (await auditRefunds(trx, actor, sold, refunded, now)) ? refunded : "earlier";
  }
  const { subscription_id: subscriptionId, workspace_id: workspaceId } = sold;
  await enqueue(trx, "refund-due", { subscriptionId, workspaceId });
  await enqueue(trx, "refund-overdue", { subscriptionId }, { afterMs: OVERDUE_AFTER_MS });
  return "due";
}

async function setDue(
  trx: Transaction<Tables>,
  { workspace_id: workspaceId, subscription_id: subscriptionId }: SubscriptionOf,
  since: Date | null,
): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ refund_due_since: since })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", subscriptionId)
    .execute();
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
  const { db, payments } = billing;
  await underClaim(
    db,
    subscriptionId,
    (trx) => findDue(trx, subscriptionId),
    async (due, stillMine) => {
      const current = await payments.readSubscription(due.provider_subscription_id, due.provider_account);
      await stillMine();
      const ended = await endIfEndedMeanwhile(billing, current);
      if (!hasEnded(ended.status)) return await forgetIntent(db, subscriptionId);
      await refundDue(billing, due, ended);
    },
  );
}

type DueRow = NonNullable<Awaited<ReturnType<typeof findDue>>>;

async function findDue(trx: Transaction<Tables>, subscriptionId: string) {
  return await trx
    .selectFrom("subscriptions")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
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
      "workspaces.closed_at",
      "workspaces.erasing_since",
    ])
    .forUpdate("subscriptions")
    .executeTakeFirst();
}

async function refundDue(billing: Billing, due: DueRow, ended: ProcessorSubscription): Promise<void> {
  const { db, now } = billing;
  const { workspace_id: workspaceId, subscription_id: subscriptionId } = due;
  const sale = { ...due, id: due.ad_id ?? subscriptionId, offAirSince: closingOf(billing.payments, due) };
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
    if (!(await auditRefunds(trx, PROCESSOR, due, refunded, now()))) return;
    const { amount, currency } = refunded;
    const letter = { workspaceId, subscriptionId, invoice: null, amount, currency, reason: null, note: null };
    await mailRefund(trx, billing, letter);
  });
}

/**
 * Takes a refund back whose subscription was not ended after all, because the processor refused it or was not reached. Where the
 * workspace is being deleted its end is still to be made.
 */
async function forgetIntent(db: Kysely<Tables>, subscriptionId: string): Promise<void> {
  await db
    .updateTable("subscriptions")
    .set({ refund_due_since: null })
    .where("id", "=", subscriptionId)
    .where((where) =>
      where.exists(
        where
          .selectFrom("workspaces")
          .whereRef("workspaces.id", "=", "subscriptions.workspace_id")
          .where("workspaces.erasing_since", "is", null)
          .select("workspaces.id"),
      ),
    )
    .execute();
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
    await mailPublisherOfRefund(trx, billing, workspaceId, letter);
  });
}

/** Records who made the refunds of a rejection; whether one of them had not been recorded. */
async function auditRefunds(
  trx: Transaction<Tables>,
  actor: Actor | Outsider,
  { workspace_id: workspaceId }: SubscriptionOf,
  { refundIds }: RejectionRefund,
  now: number,
): Promise<boolean> {
  let isNews = false;
  for (const refundId of refundIds) {
    if (await auditRefund(trx, actor, { workspaceId, refundId }, now)) isNews = true;
  }
  return isNews;
}
