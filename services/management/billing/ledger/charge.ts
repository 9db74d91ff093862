import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProcessorCharge } from "#libs/payments/index.ts";
import { type Billing, type SyncOutcome, sync, unlessMissing } from "../mirror.ts";
import { selectInvoice, syncInvoice } from "./invoice.ts";

/** A charge of the processor as columns of ours, with its refunds. */
function chargeColumns(charge: ProcessorCharge) {
  return {
    amount_refunded: charge.amountRefunded,
    disputed: charge.disputed,
    refunds: charge.refunds.map(({ id, amount }) => `${id} ${amount}`).toSorted(),
  };
}

type Columns = ReturnType<typeof chargeColumns>;

/**
 * Copies a refunded or disputed charge into the ledger (`sync`), and first the invoice that it paid, if that is missing. One that paid no
 * invoice of the ledger is left out. Throws `PaymentsError`.
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

    onChange: async (trx, row, _columns, charge) => await replaceRefunds(trx, row.workspace_id, charge),

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
      await replaceRefunds(trx, invoice.workspace_id, charge);
      return { id: charge.id, changed: true };
    },
  });
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

/** The transaction has locked the charge's row. */
async function replaceRefunds(
  trx: Transaction<Tables>,
  workspaceId: string,
  charge: ProcessorCharge,
): Promise<void> {
  const ids = charge.refunds.map(({ id }) => id);
  await trx
    .deleteFrom("refunds")
    .where("workspace_id", "=", workspaceId)
    .where("provider_charge_id", "=", charge.id)
    .$if(ids.length > 0, (query) => query.where("provider_refund_id", "not in", ids))
    .execute();
  for (const refund of charge.refunds) {
    await trx
      .insertInto("refunds")
      .values({
        id: newId("refund"),
        workspace_id: workspaceId,
        provider_refund_id: refund.id,
        provider_charge_id: charge.id,
        amount: refund.amount,
        currency: charge.currency,
        reason: refund.reason,
        refunded_at: new Date(refund.createdAt),
      })
      .onConflict((conflict) =>
        conflict.column("provider_refund_id").doUpdateSet({ amount: refund.amount, reason: refund.reason }),
      )
      .execute();
  }
}
