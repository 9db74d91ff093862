import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isChargedBack, type RefundReason } from "#libs/domain/invoice.ts";
import { chargeStep } from "#libs/domain/money.ts";
import { conflict, invalidInput, notFound } from "#libs/http/index.ts";
import { PaymentsError, type ProcessorCharge, type ProcessorRefund } from "#libs/payments/index.ts";
import type { Actor } from "../../api/access/granted.ts";
import { type Outsider, recordChange } from "../../audit/record.ts";
import { formats } from "../../mail/formats.ts";
import type { Billing } from "../mirror.ts";
import { syncCharge } from "./charge.ts";
import { findInvoice, type LedgerRow } from "./queries.ts";

const NOTHING_PAID = "Nothing was paid for this invoice, so there is nothing to refund.";
const NOTHING_LEFT = "This invoice has been refunded in full.";
const CHARGED_BACK = "The advertiser disputes this payment at the bank, so it can't be refunded.";
const RACED = "Another refund of this invoice was made at the same time. Look at what is left.";

export interface Refund {
  readonly workspaceId: string;
  readonly invoiceId: string;
  /** Names the intent at the processor: a refund with the same key is made once. */
  readonly idempotencyKey: string;
  /** Everything that is left where absent. */
  readonly amount?: number | undefined;
  readonly reason?: RefundReason | undefined;
  readonly note?: string | undefined;
}

/**
 * Refunds an invoice at the processor, copies the charge as it is then into the ledger and records who did it; returns the
 * invoice. What is left is the processor's word, which may be ahead of the ledger. Throws 404, 422 at `amount`, 409 and
 * `PaymentsError`; after that a repetition with the same key finds the refund that was made all the same.
 */
export async function refundInvoice(billing: Billing, actor: Actor, refund: Refund): Promise<LedgerRow> {
  const { db, payments } = billing;
  const invoice = await requireInvoice(db, refund);
  const account = invoice.provider_account;
  const charge = await payments.readChargeOfInvoice(invoice.provider_invoice_id, account);
  if (charge === null) throw conflict("NOTHING_TO_REFUND", { formErrors: [NOTHING_PAID] });
  const made =
    charge.refunds.find(({ idempotencyKey }) => idempotencyKey === refund.idempotencyKey) ??
    (await make(billing, invoice, charge, refund));
  await syncCharge(billing, charge.id, account);
  await db
    .transaction()
    .execute(async (trx) => await auditRefund(trx, actor, { ...refund, refundId: made.id }, billing.now()));
  return await requireInvoice(db, refund);
}

/** Records once who made a refund, named by the processor's id, of those that the ledger has; whether it had not been recorded. */
export async function auditRefund(
  trx: Transaction<Tables>,
  actor: Actor | Outsider,
  { workspaceId, refundId }: { readonly workspaceId: string; readonly refundId: string },
  now: number,
): Promise<boolean> {
  const unaudited = await trx
    .updateTable("refunds")
    .from("charges")
    .whereRef("charges.provider_charge_id", "=", "refunds.provider_charge_id")
    .where("charges.workspace_id", "=", workspaceId)
    .where("refunds.workspace_id", "=", workspaceId)
    .where("refunds.provider_refund_id", "=", refundId)
    .where("refunds.audited_at", "is", null)
    .set({ audited_at: new Date(now) })
    .returning([
      "charges.invoice_id",
      "refunds.id",
      "refunds.amount",
      "refunds.currency",
      "refunds.reason",
      "refunds.note",
    ])
    .executeTakeFirst();
  if (unaudited === undefined) return false;
  const { invoice_id: resourceId, ...after } = unaudited;
  await recordChange(trx, actor, { workspaceId, action: "invoice.refund", resourceId, after });
  return true;
}

async function requireInvoice(
  db: Kysely<Tables>,
  { workspaceId, invoiceId }: Pick<Refund, "workspaceId" | "invoiceId">,
): Promise<LedgerRow> {
  const invoice = await findInvoice(db, workspaceId, invoiceId);
  if (invoice === undefined) throw notFound("Invoice");
  return invoice;
}

async function make(
  { payments }: Billing,
  { provider_account: account }: LedgerRow,
  charge: ProcessorCharge,
  { amount, reason, note, idempotencyKey }: Refund,
): Promise<ProcessorRefund> {
  const request = { account, reason, note, idempotencyKey };
  try {
    return await payments.refundCharge(charge.id, { ...request, amount: amountOf(charge, amount) });
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== "REFUND_REFUSED") throw error;
    amountOf(await payments.readCharge(charge.id, account), amount);
    throw conflict("REFUNDED_SINCE", { formErrors: [RACED] });
  }
}

/** What to refund of a charge as it is now. Throws 409 if nothing can be refunded, 422 if it is less. */
function amountOf({ amount: paid, amountRefunded, dispute, currency }: ProcessorCharge, wanted?: number) {
  const left = paid - amountRefunded;
  if (isChargedBack(dispute)) throw conflict("PAYMENT_DISPUTED", { formErrors: [CHARGED_BACK] });
  if (left <= 0) throw conflict("NOTHING_TO_REFUND", { formErrors: [NOTHING_LEFT] });
  if (wanted !== undefined && wanted > left) {
    throw invalidInput("MORE_THAN_IS_LEFT", {
      fieldErrors: { amount: [`At most ${formats.money(left, currency)} is left to refund.`] },
    });
  }
  const step = chargeStep(currency);
  if (wanted !== undefined && wanted % step !== 0) {
    throw invalidInput("INVALID_INPUT", {
      fieldErrors: { amount: [`Only multiples of ${formats.money(step, currency)} can be refunded.`] },
    });
  }
  return wanted ?? left;
}
