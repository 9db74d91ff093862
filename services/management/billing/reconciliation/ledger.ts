import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { OPEN_DISPUTES } from "#libs/domain/invoice.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { ProcessorInvoice, ProcessorReversal } from "#libs/payments/index.ts";
import { syncCharge } from "../ledger/charge.ts";
import { invoiceColumns, syncInvoice } from "../ledger/invoice.ts";
import { type Billing, hasState, inPages } from "../mirror.ts";
import { findSold } from "../subscriptions/purchase.ts";
import type { Findings } from "./findings.ts";
import { findKnown, PAGE } from "./queries.ts";

/** Disputes last for weeks and are rare; each takes some requests of its own. */
const MAX_DISPUTES = 100;
/** Failed payments may go through weeks later; each takes a request of its own. */
const MAX_UNPAID = 100;

/** Reaches back behind the last comparison: the processor's lists may lag, and refunds fail days after they were made. */
const MARGIN_MS = 3 * 24 * 60 * 60_000;

/**
 * Repairs an account's ledger: the invoices, refunds and disputes that were made since the last comparison that succeeded, less a
 * margin, the first time for an account all of them; and the older invoices that are unpaid and disputes that are open here. So
 * what was missed while nobody compared, or what a restored backup lacks, is found however long ago it was. `now` is when the
 * comparison began. Invoices of no subscription, and of one that was not sold here, cost no request: an account may have thousands of
 * another business. Throws `PaymentsError`; the next comparison then reaches back as far.
 */
export async function reconcileLedger(
  billing: Billing,
  account: string | null,
  now: ProcessorTime,
  { repaired }: Pick<Findings, "repaired">,
): Promise<void> {
  const { db, payments } = billing;
  const last = await db
    .selectFrom("ledger_fills")
    .where("account", "=", account ?? "")
    .select("compared_at")
    .executeTakeFirst();
  const since = last?.compared_at == null ? 0 : Math.min(last.compared_at.getTime(), now) - MARGIN_MS;

  for await (const page of inPages(payments.listInvoices({ account, since }), PAGE)) {
    for (const id of await findStaleInvoices(db, account, page)) {
      const { changed } = await syncInvoice(billing, id, account);
      if (changed) repaired.invoice.push(id);
    }
  }
  if (last === undefined) {
    await db
      .insertInto("ledger_fills")
      .values({ account: account ?? "" })
      .onConflict((conflict) => conflict.column("account").doNothing())
      .execute();
  }

  for (const id of await findUnpaidInvoices(db, account, since)) {
    const { changed } = await syncInvoice(billing, id, account);
    if (changed) repaired.invoice.push(id);
  }
  for (const id of await findOpenDisputes(db, account)) {
    const { changed } = await syncCharge(billing, id, account);
    if (changed) repaired.charge.push(id);
  }

  for await (const page of inPages(payments.listReversals({ account, since }), PAGE)) {
    for (const id of await findStaleCharges(db, page)) {
      const { changed } = await syncCharge(billing, id, account);
      if (changed) repaired.charge.push(id);
    }
  }
  await db
    .updateTable("ledger_fills")
    .set({ compared_at: new Date(now), reversals_filled_at: new Date(now) })
    .where("account", "=", account ?? "")
    .execute();
}

/** The ids of the invoices that the ledger lacks or has in another state, without those that it lacks because they were not sold here. */
async function findStaleInvoices(
  db: Kysely<Tables>,
  account: string | null,
  page: readonly ProcessorInvoice[],
): Promise<string[]> {
  const ids = page.map(({ id }) => id);
  const rows = await db.selectFrom("invoices").where("provider_invoice_id", "in", ids).selectAll().execute();
  const known = new Map(rows.map((row) => [row.provider_invoice_id, row]));
  const missing = page.filter(({ id }) => !known.has(id));
  const billed = await findKnown(
    db,
    missing.flatMap(({ subscriptionId }) => subscriptionId ?? []),
  );
  const soldAs = await findSold(
    db,
    account,
    missing.map(({ subscriptionMetadata }) => subscriptionMetadata),
  );
  return page
    .filter((invoice) => {
      const row = known.get(invoice.id);
      if (row !== undefined) return !hasState(row, invoiceColumns(invoice, row));
      const { subscriptionId, subscriptionMetadata } = invoice;
      return (
        subscriptionId !== null && (billed.has(subscriptionId) || soldAs(subscriptionMetadata) !== undefined)
      );
    })
    .map(({ id }) => id);
}

/** The invoices from before `since` that are unpaid by our last reading, those first that were read longest ago. */
async function findUnpaidInvoices(
  db: Kysely<Tables>,
  account: string | null,
  since: number,
): Promise<string[]> {
  const invoices = await db
    .selectFrom("invoices")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .where("subscriptions.provider_account", "is not distinct from", account)
    .where("invoices.status", "in", ["draft", "open"])
    .where("invoices.issued_at", "<", new Date(since))
    .select("invoices.provider_invoice_id")
    .orderBy("invoices.updated_at")
    .limit(MAX_UNPAID)
    .execute();
  return invoices.map(({ provider_invoice_id: id }) => id);
}

/** The charges whose dispute the bank has not decided by our last reading, those first that were read longest ago. */
async function findOpenDisputes(db: Kysely<Tables>, account: string | null): Promise<string[]> {
  const charges = await db
    .selectFrom("charges")
    .innerJoin("invoices", "invoices.id", "charges.invoice_id")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .where("subscriptions.provider_account", "is not distinct from", account)
    .where("charges.dispute_status", "in", OPEN_DISPUTES)
    .select("charges.provider_charge_id")
    .orderBy("charges.updated_at")
    .limit(MAX_DISPUTES)
    .execute();
  return charges.map(({ provider_charge_id: id }) => id);
}

/** The ids of the charges with a refund or dispute that the ledger lacks or has in another state. */
async function findStaleCharges(
  db: Kysely<Tables>,
  page: readonly ProcessorReversal[],
): Promise<ReadonlySet<string>> {
  const ids = page.map(({ id }) => id);
  const chargeIds = page.map(({ chargeId }) => chargeId);
  const refunds = await db
    .selectFrom("refunds")
    .where("provider_refund_id", "in", ids)
    .select(["provider_refund_id", "amount"])
    .execute();
  const disputed = await db
    .selectFrom("charges")
    .where("provider_charge_id", "in", chargeIds)
    .where("disputed", "=", true)
    .select(["provider_charge_id", "dispute_status"])
    .execute();
  const amounts = new Map(refunds.map((refund) => [refund.provider_refund_id, refund.amount]));
  const disputes = new Map(disputed.map((charge) => [charge.provider_charge_id, charge.dispute_status]));
  const isKnown = ({ kind, id, chargeId, amount, status }: ProcessorReversal) =>
    kind === "refund" ? (amounts.get(id) ?? 0) === amount : disputes.get(chargeId) === status;
  return new Set(page.filter((reversal) => !isKnown(reversal)).map(({ chargeId }) => chargeId));
}
