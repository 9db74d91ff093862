import { isChargedBack } from "#libs/domain/invoice.ts";
import { lateRefund, movedPeriods } from "#libs/domain/rejection-refund.ts";
import type { ProcessorCharge, ProcessorInvoice, ProcessorSubscription } from "#libs/payments/index.ts";
import { mailLinks } from "../../mail/links.ts";
import { lateRefundNotice } from "../../mail/publisher-letters.ts";
import { findSale, saleFacts } from "../../mail/sales.ts";
import { mailPublisherOfRefund } from "../../mail/to-publisher.ts";
import { closingOf } from "../closing.ts";
import { syncCharge } from "../ledger/charge.ts";
import { auditRefund } from "../ledger/refund.ts";
import { type Billing, PROCESSOR } from "../mirror.ts";
import { voidUnsettled } from "./continue-period.ts";

/** The advertiser reads this note with the refund. */
const NOTE = "It was paid too late for the ad to be shown.";

interface Ended {
  readonly id: string;
  readonly workspace_id: string;
  readonly provider_subscription_id: string;
  readonly provider_account: string | null;
}

/**
 * Settles the invoices of a subscription that has ended. Voids invoices that could still be paid. If an invoice was paid after the
 * end, because a payment raced it, or after the stop of its unpaid period, refunds the invoice's time off the air. In a workspace that is
 * being deleted, its closing takes the place of a later end. May be repeated: the key of a refund names its invoice. Throws
 * `PaymentsError`.
 */
export async function clearEnded(
  billing: Billing,
  ended: Ended,
  current: ProcessorSubscription,
): Promise<void> {
  const { db, payments } = billing;
  const { provider_subscription_id: id, provider_account: account } = ended;
  await voidUnsettled(payments, { id, account }, () => true);
  const wasEndedAt = current.endedAt ?? current.canceledAt;
  if (wasEndedAt !== null) {
    const workspace = await db
      .selectFrom("workspaces")
      .where("id", "=", ended.workspace_id)
      .select(["closed_at", "erasing_since"])
      .executeTakeFirst();
    const closing = workspace && closingOf(payments, workspace);
    const endedAt = Math.min(wasEndedAt, closing ?? wasEndedAt);
    const paid = payments.listInvoices({ account, since: 0, subscriptionId: id, status: "paid" });
    const paidFor = movedPeriods<ProcessorInvoice>(current);
    for await (const listed of paid) {
      const invoice = paidFor(listed);
      const usedUntil = Math.min(current.stop?.at ?? endedAt, endedAt);
      // A period that was stopped for want of payment has not continued since, whenever that was paid.
      const isOfStop = current.stop?.reason === "unpaid" && invoice.id === current.periodInvoiceId;
      // The processor's times are whole seconds. A payment in the second of the end was made before the end.
      const isInTime = invoice.paidAt !== null && invoice.paidAt <= (isOfStop ? usedUntil : endedAt);
      if (invoice.amountPaid === 0 || invoice.paidAt === null || isInTime) continue;
      await refundLatePayment(billing, ended, invoice, usedUntil);
    }
  }
  await recordCleared(billing, ended);
}

/** Records that nothing is left to settle of a subscription that has ended. */
export async function recordCleared(
  { db, now }: Pick<Billing, "db" | "now">,
  ended: Pick<Ended, "id" | "workspace_id">,
): Promise<void> {
  await db
    .updateTable("subscriptions")
    .set({ cleared_at: new Date(now()), missing_since: null })
    .where("workspace_id", "=", ended.workspace_id)
    .where("id", "=", ended.id)
    .execute();
}

async function refundLatePayment(
  billing: Billing,
  ended: Ended,
  invoice: ProcessorInvoice,
  usedUntil: number,
): Promise<void> {
  const { payments } = billing;
  const { provider_account: account } = ended;
  const charge = await payments.readChargeOfInvoice(invoice.id, account);
  if (charge === null) return;
  const idempotencyKey = `late:${invoice.id}`;
  const made = charge.refunds.find((refund) => refund.idempotencyKey === idempotencyKey);
  const amount = made === undefined ? amountOf(invoice, charge, usedUntil) : 0;
  if (made === undefined && amount === 0) return;
  const { id: refundId } =
    made ?? (await payments.refundCharge(charge.id, { account, idempotencyKey, amount, note: NOTE }));
  await syncCharge(billing, charge.id, account);
  await tellPublisher(billing, ended, refundId, {
    amount: made?.amount ?? amount,
    currency: charge.currency,
  });
}

/** The amount to refund of a charge in its present state. */
function amountOf(invoice: ProcessorInvoice, charge: ProcessorCharge, usedUntil: number): number {
  if (isChargedBack(charge.dispute)) return 0;
  const { amount: amountPaid, amountRefunded } = charge;
  // All refunds of the charge were made after the end, because the payment was.
  return lateRefund({ ...invoice, amountPaid, amountRefunded, refundedSince: amountRefunded }, usedUntil);
}

/** Queues the publisher's letter once, in the transaction that records who made the refund. */
async function tellPublisher(
  billing: Billing,
  { id, workspace_id: workspaceId }: Ended,
  refundId: string,
  refund: { readonly amount: number; readonly currency: string },
): Promise<void> {
  await billing.db.transaction().execute(async (trx) => {
    const isNews = await auditRefund(trx, PROCESSOR, { workspaceId, refundId }, billing.now());
    const sale = isNews ? await findSale(trx, workspaceId, id) : undefined;
    if (sale === undefined) return;
    const url = mailLinks(billing.publicUrl).advertiser(workspaceId, sale.advertiser_id);
    const letter = lateRefundNotice({ ...saleFacts(sale, url), ...refund });
    await mailPublisherOfRefund(trx, billing, workspaceId, letter);
  });
}
