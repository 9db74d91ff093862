import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProcessorCharge } from "#libs/payments/index.ts";
import { mailLinks } from "../../mail/links.ts";
import { failedRefundNotice } from "../../mail/publisher-letters.ts";
import { mailRefund } from "../../mail/refund-letter.ts";
import { findSale, saleFacts } from "../../mail/sales.ts";
import { mailPublisherOfRefund } from "../../mail/to-publisher.ts";
import type { Billing } from "../mirror.ts";

/** The idempotency keys of the refunds that a rejection makes: its own letter tells of them. */
export const REJECTION_KEY = "reject:";

/** Older refunds come with the first comparison of an account, or long after their webhook was lost: they are no news. */
const NEWS_FOR_MS = 3 * 24 * 60 * 60_000;

/**
 * Removes the refunds that have failed or that the processor has called off, and tells the publisher of each. The transaction has locked
 * the charge's row.
 */
export async function removeRefunds(
  trx: Transaction<Tables>,
  billing: Billing,
  workspaceId: string,
  invoiceId: string,
  charge: ProcessorCharge,
): Promise<void> {
  const ids = charge.refunds.map(({ id }) => id);
  const removed = await trx
    .deleteFrom("refunds")
    .where("workspace_id", "=", workspaceId)
    .where("provider_charge_id", "=", charge.id)
    .$if(ids.length > 0, (query) => query.where("provider_refund_id", "not in", ids))
    .returning(["amount", "currency"])
    .execute();
  if (removed.length === 0) return;
  const { subscription_id: subscriptionId } = await trx
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", invoiceId)
    .select("subscription_id")
    .executeTakeFirstOrThrow();
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined) return;
  const url = mailLinks(billing.publicUrl).advertiser(workspaceId, sale.advertiser_id);
  for (const refund of removed) {
    const letter = failedRefundNotice({ ...saleFacts(sale, url), ...refund });
    await mailPublisherOfRefund(trx, billing, workspaceId, letter);
  }
}

/**
 * Writes the refunds of a charge, and emails the advertiser about new ones, wherever they were made. The transaction has
 * locked the charge's row, or has just added it.
 */
export async function recordRefunds(
  trx: Transaction<Tables>,
  billing: Billing,
  workspaceId: string,
  invoiceId: string,
  charge: ProcessorCharge,
): Promise<void> {
  // The lock keeps the advertiser from being erased meanwhile: their notes must not come back.
  const invoice = await trx
    .selectFrom("invoices")
    .innerJoin("advertisers", "advertisers.id", "invoices.advertiser_id")
    .where("invoices.workspace_id", "=", workspaceId)
    .where("invoices.id", "=", invoiceId)
    .select(["invoices.number", "invoices.subscription_id", "advertisers.erased_at"])
    .forKeyShare("advertisers")
    .executeTakeFirstOrThrow();
  for (const refund of charge.refunds) {
    const { amount, reason, note } = refund;
    const known = await trx
      .updateTable("refunds")
      .set({ amount, reason })
      .where("workspace_id", "=", workspaceId)
      .where("provider_refund_id", "=", refund.id)
      .returning("id")
      .executeTakeFirst();
    if (known !== undefined) continue;
    await trx
      .insertInto("refunds")
      .values({
        id: newId("refund"),
        workspace_id: workspaceId,
        provider_refund_id: refund.id,
        provider_charge_id: charge.id,
        amount,
        currency: charge.currency,
        reason,
        note: invoice.erased_at === null ? note : null,
        audited_at: null,
        refunded_at: new Date(refund.createdAt),
      })
      .execute();
    const isOld = refund.createdAt < billing.payments.moment(billing.now()).atProcessor - NEWS_FOR_MS;
    if (isOld || refund.idempotencyKey?.startsWith(REJECTION_KEY) === true) continue;
    await mailRefund(trx, billing, {
      workspaceId,
      subscriptionId: invoice.subscription_id,
      invoice: invoice.number,
      currency: charge.currency,
      amount,
      reason,
      note,
    });
  }
}
