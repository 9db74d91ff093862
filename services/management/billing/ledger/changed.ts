import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ANY, hasRow, isOneOf } from "../../store/any-of.ts";

/**
 * Whether the invoice whose id is in the column has changed since: itself, its refunds or dispute, or the advertiser. True of all if no
 * time is given.
 */
export async function isChangedInvoice(
  column: string,
  db: Kysely<Tables>,
  workspaceId: string,
  updatedSince: string | undefined,
): Promise<Expression<SqlBool>> {
  if (updatedSince === undefined) return ANY;
  const since = new Date(updatedSince);
  const ofChanged = await isOneOf("advertiser_id", advertisersSince(db, workspaceId, since), (id) =>
    isAdvertiserSince(db, id, since),
  );
  return await isOneOf(
    column,
    db
      .selectFrom("invoices")
      .where("workspace_id", "=", workspaceId)
      .where("changed_at", ">=", since)
      .select("id")
      .unionAll(
        // A refund is recorded with the sum on its charge.
        db
          .selectFrom("charges")
          .where("workspace_id", "=", workspaceId)
          .where("changed_at", ">=", since)
          .select("invoice_id as id"),
      )
      .unionAll(
        db.selectFrom("invoices").where("workspace_id", "=", workspaceId).where(ofChanged).select("id"),
      ),
    (id) => isInvoiceSince(db, id, since),
  );
}

/** Like `isChangedInvoice`, tested row by row. */
export function isInvoiceSince(db: Kysely<Tables>, column: string, since: Date): Expression<SqlBool> {
  const refunded = db
    .selectFrom("charges")
    .where("charges.workspace_id", "=", sql.ref<string>("known.workspace_id"))
    .where("charges.invoice_id", "=", sql.ref<string>("known.id"))
    .where("charges.changed_at", ">=", since)
    .select("charges.invoice_id");
  return hasRow(
    db
      .selectFrom("invoices as known")
      .where("known.id", "=", sql.ref<string>(column))
      .where((one) =>
        one.or([
          one("known.changed_at", ">=", since),
          hasRow(refunded),
          isAdvertiserSince(db, "known.advertiser_id", since),
        ]),
      )
      .select("known.id"),
  );
}

/** Whether the own row of the advertiser whose id is in the column has changed since. */
export function isAdvertiserSince(db: Kysely<Tables>, column: string, since: Date): Expression<SqlBool> {
  return hasRow(
    db
      .selectFrom("advertisers as buyer")
      .where("buyer.id", "=", sql.ref<string>(column))
      .where("buyer.changed_at", ">=", since)
      .select("buyer.id"),
  );
}

/** The ids of advertisers whose own row changed at `since` or later. */
export function advertisersSince(db: Kysely<Tables>, workspaceId: string, since: Date) {
  return db
    .selectFrom("advertisers")
    .where("workspace_id", "=", workspaceId)
    .where("changed_at", ">=", since)
    .select("id");
}
