import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isOneOf } from "../../store/any-of.ts";

/** The ids of invoices of which something changed at `since` or later: themselves, their refunds or dispute, or the advertiser. */
export function changedInvoices(db: Kysely<Tables>, workspaceId: string, since: Date) {
  return db
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
    .union(
      db
        .selectFrom("invoices")
        .where("workspace_id", "=", workspaceId)
        .where(isOneOf("advertiser_id", advertisersSince(db, workspaceId, since)))
        .select("id"),
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
