import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

const INVOICES_IN_A_STEP = 1_000;

/**
 * Moves a workspace's invoices, with what was refunded of them, to the records that are kept without names; without
 * `keep` they are only removed. Drafts were never issued and are no records.
 */
export async function retainInvoices(db: Kysely<Tables>, workspaceId: string, keep: boolean): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      with moved as (
        select * from invoices where workspace_id = ${workspaceId} limit ${sql.lit(INVOICES_IN_A_STEP)}
      ), kept as (
        insert into retained_invoices
        select moved.id, moved.workspace_id, subscriptions.provider_account, moved.provider_invoice_id, moved.number,
          moved.status, moved.currency, moved.total, moved.amount_paid, moved.amount_due,
          coalesce(sum(charges.amount_refunded), 0)::bigint, coalesce(bool_or(charges.disputed), false),
          moved.issued_at, moved.paid_at, moved.period_start, moved.period_end
        from moved
        join subscriptions on subscriptions.id = moved.subscription_id
        left join charges on charges.workspace_id = moved.workspace_id and charges.invoice_id = moved.id
        where moved.status <> 'draft' and ${keep}::boolean
          and not exists (
            select from retained_invoices as earlier
            where earlier.provider_invoice_id = moved.provider_invoice_id
          )
        group by moved.id, moved.workspace_id, subscriptions.provider_account, moved.provider_invoice_id, moved.number,
          moved.status, moved.currency, moved.total, moved.amount_paid, moved.amount_due,
          moved.issued_at, moved.paid_at, moved.period_start, moved.period_end
      )
      delete from invoices where workspace_id = ${workspaceId} and id in (select id from moved)`.execute(db);
    if (numAffectedRows < INVOICES_IN_A_STEP) return;
  }
}
