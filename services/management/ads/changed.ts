import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { changedInvoices } from "../billing/ledger/changed.ts";

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
        .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
        .where("subscriptions.workspace_id", "=", workspaceId)
        .where("advertisers.workspace_id", "=", workspaceId)
        .where("advertisers.changed_at", ">=", since)
        .select("subscriptions.id"),
    );
}

/** The ids of advertisers of whom something changed at `since` or later: themselves, their subscriptions, ads or invoices. */
export function changedAdvertisers(db: Kysely<Tables>, workspaceId: string, since: Date) {
  return db
    .selectFrom("advertisers")
    .where("workspace_id", "=", workspaceId)
    .where("changed_at", ">=", since)
    .select("id")
    .union(
      db
        .selectFrom("subscriptions")
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", changedSubscriptions(db, workspaceId, since))
        .select("advertiser_id as id"),
    )
    .union(
      db
        .selectFrom("invoices")
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", changedInvoices(db, workspaceId, since))
        .select("advertiser_id as id"),
    );
}
