import type { Expression, Kysely, SqlBool } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { advertisersSince, isChangedInvoice } from "../billing/ledger/changed.ts";
import { ANY, isOneOf } from "../store/any-of.ts";

/**
 * Whether the subscription whose id is in the column has changed since: itself, its ad, or the advertiser. True of all if no time is given.
 */
export async function isChangedSubscription(
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
      .selectFrom("subscriptions")
      .where("workspace_id", "=", workspaceId)
      .where("changed_at", ">=", since)
      .select("id")
      .union(
        db
          .selectFrom("ads")
          .where("workspace_id", "=", workspaceId)
          .where("changed_at", ">=", since)
          .select("subscription_id as id"),
      )
      .union(
        db.selectFrom("subscriptions").where("workspace_id", "=", workspaceId).where(ofChanged).select("id"),
      ),
  );
}

/**
 * Whether the advertiser whose id is in the column has changed since: itself, its subscriptions, ads or invoices. True of all if no time is
 * given.
 */
export async function isChangedAdvertiser(
  column: string,
  db: Kysely<Tables>,
  workspaceId: string,
  updatedSince: string | undefined,
): Promise<Expression<SqlBool>> {
  if (updatedSince === undefined) return ANY;
  const since = new Date(updatedSince);
  const hasSubscription = await isChangedSubscription("id", db, workspaceId, updatedSince);
  const hasInvoice = await isChangedInvoice("id", db, workspaceId, updatedSince);
  return await isOneOf(
    column,
    advertisersSince(db, workspaceId, since)
      .union(
        db
          .selectFrom("subscriptions")
          .where("workspace_id", "=", workspaceId)
          .where(hasSubscription)
          .select("advertiser_id as id"),
      )
      .union(
        db
          .selectFrom("invoices")
          .where("workspace_id", "=", workspaceId)
          .where(hasInvoice)
          .select("advertiser_id as id"),
      ),
  );
}
