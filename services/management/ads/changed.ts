import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { advertisersSince, changedInvoices } from "../billing/ledger/changed.ts";
import { isOneOf } from "../store/any-of.ts";

/** The ids of subscriptions of which something changed at `since` or later: themselves, their ad, or the advertiser. */
export function changedSubscriptions(db: Kysely<Tables>, workspaceId: string, since: Date) {
  return db
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
      db
        .selectFrom("subscriptions")
        .where("workspace_id", "=", workspaceId)
        .where(isOneOf("advertiser_id", advertisersSince(db, workspaceId, since)))
        .select("id"),
    );
}

/** The ids of advertisers of whom something changed at `since` or later: themselves, their subscriptions, ads or invoices. */
export function changedAdvertisers(db: Kysely<Tables>, workspaceId: string, since: Date) {
  return advertisersSince(db, workspaceId, since)
    .union(
      db
        .selectFrom("subscriptions")
        .where("workspace_id", "=", workspaceId)
        .where(isOneOf("id", changedSubscriptions(db, workspaceId, since)))
        .select("advertiser_id as id"),
    )
    .union(
      db
        .selectFrom("invoices")
        .where("workspace_id", "=", workspaceId)
        .where(isOneOf("id", changedInvoices(db, workspaceId, since)))
        .select("advertiser_id as id"),
    );
}
