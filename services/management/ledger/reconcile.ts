import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ProviderInvoice } from "#libs/payments/index.ts";
import type { Services } from "../services.ts";
import { hasInvoiceState } from "./invoice-state.ts";
import { recordInvoice } from "./record.ts";

/** Invoices compared by one look into the ledger. */
const BATCH = 100;

/**
 * Records what the ledger lacks of an account's invoices made from `since` on, in milliseconds since the epoch; the first
 * time for an account, all of them. Returns the processor's ids of the invoices that were written. Throws `PaymentsError`.
 */
export async function reconcileInvoices(
  services: Services,
  account: string | null,
  since: number,
): Promise<string[]> {
  const isFilled = await isLedgerFilled(services.db, account);
  const invoices = services.payments.listInvoices({ account, since: isFilled ? since : 0 });
  const written: string[] = [];
  for await (const batch of inBatches(invoices)) {
    for (const id of await findStale(services.db, batch)) {
      if (await recordInvoice(services, id, account)) written.push(id);
    }
  }
  if (!isFilled) await noteFilled(services.db, account);
  return written;
}

async function* inBatches(invoices: AsyncIterable<ProviderInvoice>): AsyncGenerator<ProviderInvoice[]> {
  let batch: ProviderInvoice[] = [];
  for await (const invoice of invoices) {
    batch.push(invoice);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The invoices of a batch that the ledger lacks, or has otherwise. */
async function findStale(db: Kysely<Tables>, batch: readonly ProviderInvoice[]): Promise<string[]> {
  const ofSubscriptions = batch.filter(({ subscriptionId }) => subscriptionId !== null);
  if (ofSubscriptions.length === 0) return [];
  const rows = await db
    .selectFrom("invoices")
    .where(
      "provider_invoice_id",
      "in",
      ofSubscriptions.map(({ id }) => id),
    )
    .selectAll()
    .execute();
  const known = new Map(rows.map((row) => [row.provider_invoice_id, row]));
  return ofSubscriptions.flatMap((invoice) => {
    const row = known.get(invoice.id);
    return row !== undefined && hasInvoiceState(row, invoice) ? [] : [invoice.id];
  });
}

async function isLedgerFilled(db: Kysely<Tables>, account: string | null): Promise<boolean> {
  const fill = await db
    .selectFrom("ledger_fills")
    .where("account", "=", account ?? "")
    .select("account")
    .executeTakeFirst();
  return fill !== undefined;
}

async function noteFilled(db: Kysely<Tables>, account: string | null): Promise<void> {
  await db
    .insertInto("ledger_fills")
    .values({ account: account ?? "" })
    .onConflict((conflict) => conflict.column("account").doNothing())
    .execute();
}
