import type { Expression, Kysely, SqlBool } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ANY, isOneOf } from "../../store/any-of.ts";

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
  const ofChanged = await isOneOf("advertiser_id", advertisersSince(db, workspaceId, since));
  return await isOneOf(
    column,
    db
      .selectFrom("invoices")
      .where("workspace_id", "=", workspaceId)
      .where("changed_at", ">=", since)
      .select("id")
      .union(
        // A refund is recorded with the sum on its charge.
        db
          .selectFrom("charges")
          .where("workspace_id", "=", workspaceId)
          .where("changed_at", ">=", since)
          .select("invoice_id as id"),
      )
      .union(db.selectFrom("invoices").where("workspace_id", "=", workspaceId).where(ofChanged).select("id")),
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
