import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { DisputeStatus } from "#libs/domain/invoice.ts";
import type { ProcessorCharge } from "#libs/payments/index.ts";
import { disputeNews, mailDispute } from "../../mail/dispute-letters.ts";
import { type Billing, type SyncOutcome, sync, unlessMissing } from "../mirror.ts";
import { selectInvoice, syncInvoice } from "./invoice.ts";
import { recordRefunds, removeRefunds } from "./record-refunds.ts";

/** A charge of the processor as columns of ours, with its refunds. */
function chargeColumns(charge: ProcessorCharge) {
  return {
    amount_refunded: charge.amountRefunded,
    disputed: charge.disputed,
    dispute_amount: charge.dispute?.amount ?? null,
    dispute_status: charge.dispute?.status ?? null,
    dispute_due_at: charge.dispute?.evidenceDueBy == null ? null : new Date(charge.dispute.evidenceDueBy),
    refunds: charge.refunds.map(({ id, amount }) => `${id} ${amount}`).toSorted(),
  };
}

type Columns = ReturnType<typeof chargeColumns>;

/**
 * Copies a refunded or disputed charge into the ledger (`sync`), and first the invoice that it paid, if that is missing. One that paid no
 * invoice of the ledger is left out. The advertiser gets an email about each new refund, the publisher about a dispute. Throws `PaymentsError`.
 */
export async function syncCharge(
  billing: Billing,
  chargeId: string,
  account: string | null,
): Promise<SyncOutcome> {
  return await sync<Columns, ChargeRow, ProcessorCharge>(billing.db, chargeId, {
    version: (db, id) => db.selectFrom("charges").where("provider_charge_id", "=", id).select("sync_version"),

    async read(id, { knownVersion }) {
      const charge = await unlessMissing(billing.payments.readCharge(id, account));
      if (charge === null || charge.invoiceId === null) return null;
      if (knownVersion !== null) return charge;
      if (charge.amountRefunded === 0 && !charge.disputed) return null;
      // The event of an invoice may arrive after that of its refund.
      const invoice = await selectInvoice(billing.db, charge.invoiceId).executeTakeFirst();
      if (invoice === undefined) await syncInvoice(billing, charge.invoiceId, account);
      return charge;
    },

    lock: lockCharge,
    columns: chargeColumns,

    async write(trx, row, { refunds: _named, ...columns }, sequence) {
      await trx
        .updateTable("charges")
        .set({ ...columns, sync_version: sequence, updated_at: new Date() })
        .where("workspace_id", "=", row.workspace_id)
        .where("provider_charge_id", "=", row.id)
        .execute();
    },

    async onChange(trx, row, _columns, charge) {
      const { workspace_id: workspaceId, invoice_id: invoiceId } = row;
      await removeRefunds(trx, billing, workspaceId, invoiceId, charge);
      await recordRefunds(trx, billing, workspaceId, invoiceId, charge);
      await tellOfDispute(trx, billing, { workspaceId, invoiceId, before: row.dispute_status }, charge);
    },

    async insert(trx, charge, sequence) {
      const invoice = await selectInvoice(trx, charge.invoiceId ?? "").executeTakeFirst();
      if (invoice === undefined) return { id: null, changed: false };
      const { refunds: _named, ...columns } = chargeColumns(charge);
      const added = await trx
        .insertInto("charges")
        .values({
          provider_charge_id: charge.id,
          workspace_id: invoice.workspace_id,
          invoice_id: invoice.id,
          sync_version: sequence,
          ...columns,
        })
        .onConflict((conflict) => conflict.column("provider_charge_id").doNothing())
        .returning("provider_charge_id")
        .executeTakeFirst();
      if (added === undefined) return null;
      const sold = { workspaceId: invoice.workspace_id, invoiceId: invoice.id };
      await recordRefunds(trx, billing, sold.workspaceId, sold.invoiceId, charge);
      await tellOfDispute(trx, billing, { ...sold, before: null }, charge);
      return { id: charge.id, changed: true };
    },
  });
}

/** Emails the publisher about a dispute, in the transaction that has locked or added the charge. */
async function tellOfDispute(
  trx: Transaction<Tables>,
  billing: Billing,
  { before, ...invoice }: { workspaceId: string; invoiceId: string; before: DisputeStatus | null },
  { dispute, currency }: ProcessorCharge,
): Promise<void> {
  const news = disputeNews(before, dispute?.status ?? null);
  if (dispute === null || news === null) return;
  const { amount, evidenceDueBy } = dispute;
  const dueBy = evidenceDueBy === null ? null : new Date(evidenceDueBy);
  await mailDispute(trx, billing, { ...invoice, news, amount, currency, dueBy });
}

type ChargeRow = NonNullable<Awaited<ReturnType<typeof lockCharge>>>;

/** Our row, locked, with its refunds, which are written only under this lock. */
export async function lockCharge(trx: Transaction<Tables>, chargeId: string) {
  const charge = await trx
    .selectFrom("charges")
    .where("provider_charge_id", "=", chargeId)
    .selectAll()
    .select("provider_charge_id as id")
    .forUpdate()
    .executeTakeFirst();
  if (charge === undefined) return undefined;
  const refunds = await trx
    .selectFrom("refunds")
    .where("workspace_id", "=", charge.workspace_id)
    .where("provider_charge_id", "=", chargeId)
    .select(["provider_refund_id", "amount"])
    .execute();
  return {
    ...charge,
    refunds: refunds.map(({ provider_refund_id: id, amount }) => `${id} ${amount}`).toSorted(),
  };
}
