import type { Kysely, Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProcessorInvoice } from "#libs/payments/index.ts";
import { type Billing, type SyncOutcome, sync, unlessMissing } from "../mirror.ts";
import { queueForInvoice } from "../subscriptions/charging-queries.ts";
import { syncSubscription } from "../subscriptions/subscription.ts";

/** An invoice of the processor as columns of ours. */
export function invoiceColumns(invoice: ProcessorInvoice, row?: Pick<InvoiceRow, "status" | "hosted_url">) {
  // Every issued invoice has links. If our row lacks them, its advertiser was erased, and they must not come back.
  const hasLostLinks = row !== undefined && row.status !== "draft" && row.hosted_url === null;
  return {
    number: invoice.number,
    status: invoice.status,
    currency: invoice.currency,
    total: invoice.total,
    amount_paid: invoice.amountPaid,
    amount_due: invoice.amountDue,
    issued_at: new Date(invoice.createdAt),
    // A paid invoice counts in a month even if the processor does not say when it was paid.
    paid_at: invoice.status === "paid" ? new Date(invoice.paidAt ?? invoice.createdAt) : null,
    period_start: new Date(invoice.periodStart),
    period_end: new Date(invoice.periodEnd),
    renewal_failed_at: invoice.isRenewal && invoice.failedAt !== null ? new Date(invoice.failedAt) : null,
    hosted_url: hasLostLinks ? null : invoice.hostedUrl,
    pdf_url: hasLostLinks ? null : invoice.pdfUrl,
  };
}

type Columns = ReturnType<typeof invoiceColumns>;

/**
 * Mirrors an invoice in the ledger (`sync`), after the subscription that it bills. Ignores invoices of subscriptions that were not sold
 * here, and removes a draft that the processor has deleted. Throws `PaymentsError`.
 */
export async function syncInvoice(
  billing: Billing,
  invoiceId: string,
  account: string | null,
): Promise<SyncOutcome> {
  let unsettled: string | null = null;
  const outcome = await sync<Columns, InvoiceRow, ProcessorInvoice>(billing.db, invoiceId, {
    version: (db, id) =>
      db.selectFrom("invoices").where("provider_invoice_id", "=", id).select("sync_version"),

    async read(id, { knownVersion }) {
      const invoice = await unlessMissing(billing.payments.readInvoice(id, account));
      const canConcern = invoice !== null && invoice.status !== "void" && invoice.total > 0;
      unsettled = canConcern ? invoice.subscriptionId : null;
      if (knownVersion !== null || invoice === null) return invoice;
      const { subscriptionId } = invoice;
      if (subscriptionId === null) return null;
      // The event of a subscription may arrive after that of its invoice.
      const billed = await selectBilled(billing.db, subscriptionId, account).executeTakeFirst();
      if (billed === undefined) await syncSubscription(billing, subscriptionId, account);
      return invoice;
    },

    lock: async (trx, id) => await selectInvoice(trx, id).forUpdate().executeTakeFirst(),
    columns: invoiceColumns,

    async write(trx, row, columns, sequence) {
      await trx
        .updateTable("invoices")
        .set({ ...columns, sync_version: sequence, updated_at: new Date() })
        .where("workspace_id", "=", row.workspace_id)
        .where("id", "=", row.id)
        .execute();
    },

    async insert(trx, invoice, sequence) {
      // The lock keeps the advertiser from being erased meanwhile.
      const billed = await selectBilled(trx, invoice.subscriptionId ?? "", account)
        .forKeyShare("advertisers")
        .executeTakeFirst();
      if (billed === undefined) return { id: null, changed: false };
      const added = await trx
        .insertInto("invoices")
        .values({
          id: newId("invoice"),
          workspace_id: billed.workspace_id,
          advertiser_id: billed.advertiser_id,
          subscription_id: billed.id,
          provider_invoice_id: invoice.id,
          sync_version: sequence,
          ...invoiceColumns(invoice),
          // The pages behind the links name the advertiser.
          ...(billed.erased_at === null ? {} : { hosted_url: null, pdf_url: null }),
        })
        .onConflict((conflict) => conflict.column("provider_invoice_id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return added === undefined ? null : { id: added.id, changed: true };
    },

    async remove(trx, row) {
      if (row.status !== "draft") return false;
      await trx
        .deleteFrom("invoices")
        .where("workspace_id", "=", row.workspace_id)
        .where("id", "=", row.id)
        .execute();
      return true;
    },
  });
  if (unsettled !== null) {
    const { atProcessor } = billing.payments.moment(billing.now());
    await queueForInvoice(billing.db, unsettled, atProcessor);
  }
  return outcome;
}

type InvoiceRow = Selectable<Tables["invoices"]>;

/** Selects the invoice with the processor's id. */
export function selectInvoice(db: Kysely<Tables>, invoiceId: string) {
  return db.selectFrom("invoices").where("provider_invoice_id", "=", invoiceId).selectAll();
}

/** Selects the subscription with the processor's id if it was sold in that account, with its advertiser. */
function selectBilled(db: Kysely<Tables>, subscriptionId: string, account: string | null) {
  return db
    .selectFrom("subscriptions")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .where("subscriptions.provider_subscription_id", "=", subscriptionId)
    .where("subscriptions.provider_account", "is not distinct from", account)
    .select([
      "subscriptions.id",
      "subscriptions.workspace_id",
      "subscriptions.advertiser_id",
      "advertisers.erased_at",
    ]);
}
