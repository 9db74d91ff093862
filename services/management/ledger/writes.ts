import type { Kysely, Selectable, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ChargesTable, InvoicesTable } from "#libs/database/tables-ledger.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProviderCharge, ProviderInvoice } from "#libs/payments/index.ts";
import { chargeColumns, hasLostLinks, invoiceColumns, NO_LINKS } from "./invoice-state.ts";

export type InvoiceRow = Selectable<InvoicesTable>;
type ChargeRow = Selectable<ChargesTable>;

/** Whom an invoice bills. */
export interface Billed {
  readonly id: string;
  readonly workspace_id: string;
  readonly advertiser_id: string;
  /** Since when nobody may find out who that is; null for an advertiser with a name. */
  readonly erased_at: Date | null;
}

/** The invoice with the processor's id; undefined when the ledger has none. */
export async function findInvoice(
  db: Kysely<Tables>,
  providerInvoiceId: string,
): Promise<InvoiceRow | undefined> {
  return await db
    .selectFrom("invoices")
    .where("provider_invoice_id", "=", providerInvoiceId)
    .selectAll()
    .executeTakeFirst();
}

/** The subscription with the processor's id that was sold in that account; undefined for any other. */
export async function findBilled(
  db: Kysely<Tables>,
  providerSubscriptionId: string,
  account: string | null,
): Promise<Billed | undefined> {
  return await db
    .selectFrom("subscriptions")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .where("subscriptions.provider_subscription_id", "=", providerSubscriptionId)
    .where("subscriptions.provider_account", "is not distinct from", account)
    .select([
      "subscriptions.id",
      "subscriptions.workspace_id",
      "subscriptions.advertiser_id",
      "advertisers.erased_at",
    ])
    .executeTakeFirst();
}

/** Adds an invoice; false when somebody else has just added it. */
export async function insertInvoice(
  db: Kysely<Tables>,
  billed: Billed,
  provider: ProviderInvoice,
): Promise<boolean> {
  const written = await db
    .insertInto("invoices")
    .values({
      id: newId("invoice"),
      workspace_id: billed.workspace_id,
      advertiser_id: billed.advertiser_id,
      subscription_id: billed.id,
      provider_invoice_id: provider.id,
      ...invoiceColumns(provider),
      ...(billed.erased_at === null ? {} : NO_LINKS),
    })
    .onConflict((conflict) => conflict.column("provider_invoice_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

/** Writes the processor's word over the row it was asked for; false when another writer was faster. */
export async function updateInvoice(
  db: Kysely<Tables>,
  known: InvoiceRow,
  provider: ProviderInvoice,
): Promise<boolean> {
  const written = await db
    .updateTable("invoices")
    .set({
      ...invoiceColumns(provider),
      ...(hasLostLinks(known) ? NO_LINKS : {}),
      sync_version: known.sync_version + 1,
      updated_at: new Date(),
    })
    .where("workspace_id", "=", known.workspace_id)
    .where("id", "=", known.id)
    .where("sync_version", "=", known.sync_version)
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

/** Drops a draft that the processor no longer has; false when it has become something else since. */
export async function deleteDraft(db: Kysely<Tables>, known: InvoiceRow): Promise<boolean> {
  const gone = await db
    .deleteFrom("invoices")
    .where("workspace_id", "=", known.workspace_id)
    .where("id", "=", known.id)
    .where("status", "=", "draft")
    .where("sync_version", "=", known.sync_version)
    .returning("id")
    .executeTakeFirst();
  return gone !== undefined;
}

/** The charge with the processor's id and its refunds; undefined while nothing of it was refunded or disputed. */
export async function findCharge(db: Kysely<Tables>, providerChargeId: string) {
  const charge = await db
    .selectFrom("charges")
    .where("provider_charge_id", "=", providerChargeId)
    .selectAll()
    .executeTakeFirst();
  if (charge === undefined) return undefined;
  const refunds = await db
    .selectFrom("refunds")
    .where("workspace_id", "=", charge.workspace_id)
    .where("provider_charge_id", "=", providerChargeId)
    .select(["provider_refund_id", "amount"])
    .execute();
  return { ...charge, refunds };
}

/** Writes the processor's word on a charge with its refunds; false when another writer was faster. */
export async function putCharge(
  trx: Transaction<Tables>,
  invoice: Pick<InvoiceRow, "id" | "workspace_id">,
  known: ChargeRow | undefined,
  provider: ProviderCharge,
): Promise<boolean> {
  const written =
    known === undefined
      ? await trx
          .insertInto("charges")
          .values({
            provider_charge_id: provider.id,
            workspace_id: invoice.workspace_id,
            invoice_id: invoice.id,
            ...chargeColumns(provider),
          })
          .onConflict((conflict) => conflict.column("provider_charge_id").doNothing())
          .returning("provider_charge_id")
          .executeTakeFirst()
      : await trx
          .updateTable("charges")
          .set({
            ...chargeColumns(provider),
            sync_version: known.sync_version + 1,
            updated_at: new Date(),
          })
          .where("workspace_id", "=", known.workspace_id)
          .where("provider_charge_id", "=", provider.id)
          .where("sync_version", "=", known.sync_version)
          .returning("provider_charge_id")
          .executeTakeFirst();
  if (written === undefined) return false;
  await replaceRefunds(trx, invoice.workspace_id, provider);
  return true;
}

/** The charge's row, just written, is the lock: nobody else writes refunds of it meanwhile. */
async function replaceRefunds(
  trx: Transaction<Tables>,
  workspaceId: string,
  provider: ProviderCharge,
): Promise<void> {
  const ids = provider.refunds.map(({ id }) => id);
  await trx
    .deleteFrom("refunds")
    .where("workspace_id", "=", workspaceId)
    .where("provider_charge_id", "=", provider.id)
    .$if(ids.length > 0, (query) => query.where("provider_refund_id", "not in", ids))
    .execute();
  for (const refund of provider.refunds) {
    await trx
      .insertInto("refunds")
      .values({
        id: newId("refund"),
        workspace_id: workspaceId,
        provider_refund_id: refund.id,
        provider_charge_id: provider.id,
        amount: refund.amount,
        currency: provider.currency,
        reason: refund.reason,
        refunded_at: new Date(refund.createdAt),
      })
      .onConflict((conflict) =>
        conflict.column("provider_refund_id").doUpdateSet({ amount: refund.amount, reason: refund.reason }),
      )
      .execute();
  }
}
