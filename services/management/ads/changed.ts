import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import {
  advertisersSince,
  isAdvertiserSince,
  isChangedInvoice,
  isInvoiceSince,
} from "../billing/ledger/changed.ts";
import { ANY, hasRow, isOneOf } from "../store/any-of.ts";

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
  const ofChanged = await isOneOf("advertiser_id", advertisersSince(db, workspaceId, since), (id) =>
    isAdvertiserSince(db, id, since),
  );
  return await isOneOf(
    column,
    db
      .selectFrom("subscriptions")
      .where("workspace_id", "=", workspaceId)
      .where("changed_at", ">=", since)
      .select("id")
      .unionAll(
        db
          .selectFrom("ads")
          .where("workspace_id", "=", workspaceId)
          .where("changed_at", ">=", since)
          .select("subscription_id as id"),
      )
      .unionAll(
        db.selectFrom("subscriptions").where("workspace_id", "=", workspaceId).where(ofChanged).select("id"),
      ),
    (id) => isSubscriptionSince(db, id, since),
  );
}

/** Like `isChangedSubscription`, tested row by row. */
function isSubscriptionSince(db: Kysely<Tables>, column: string, since: Date): Expression<SqlBool> {
  const ad = db
    .selectFrom("ads as shown")
    .where("shown.subscription_id", "=", sql.ref<string>("bought.id"))
    .where("shown.changed_at", ">=", since)
    .select("shown.id");
  return hasRow(
    db
      .selectFrom("subscriptions as bought")
      .where("bought.id", "=", sql.ref<string>(column))
      .where((one) =>
        one.or([
          one("bought.changed_at", ">=", since),
          hasRow(ad),
          isAdvertiserSince(db, "bought.advertiser_id", since),
        ]),
      )
      .select("bought.id"),
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
  const hasSubscription = await isChangedSubscription("subscriptions.id", db, workspaceId, updatedSince);
  const hasInvoice = await isChangedInvoice("invoices.id", db, workspaceId, updatedSince);
  return await isOneOf(
    column,
    advertisersSince(db, workspaceId, since)
      .unionAll(
        db
          .selectFrom("subscriptions")
          .where("workspace_id", "=", workspaceId)
          .where(hasSubscription)
          .select("advertiser_id as id"),
      )
      .unionAll(
        db
          .selectFrom("invoices")
          .where("workspace_id", "=", workspaceId)
          .where(hasInvoice)
          .select("advertiser_id as id"),
      ),
    (id) => isAnyAdvertiserSince(db, id, since),
  );
}

/** Like `isChangedAdvertiser`, tested row by row. */
function isAnyAdvertiserSince(db: Kysely<Tables>, column: string, since: Date): Expression<SqlBool> {
  const bought = db
    .selectFrom("subscriptions as sold")
    .where("sold.workspace_id", "=", sql.ref<string>("named.workspace_id"))
    .where("sold.advertiser_id", "=", sql.ref<string>("named.id"))
    .where(isSubscriptionSince(db, "sold.id", since))
    .select("sold.id");
  const invoiced = db
    .selectFrom("invoices as billed")
    .where("billed.workspace_id", "=", sql.ref<string>("named.workspace_id"))
    .where("billed.advertiser_id", "=", sql.ref<string>("named.id"))
    .where(isInvoiceSince(db, "billed.id", since))
    .select("billed.id");
  return hasRow(
    db
      .selectFrom("advertisers as named")
      .where("named.id", "=", sql.ref<string>(column))
      .where((one) => one.or([one("named.changed_at", ">=", since), hasRow(bought), hasRow(invoiced)]))
      .select("named.id"),
  );
}
