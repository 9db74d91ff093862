import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

export type BilledRow = NonNullable<Awaited<ReturnType<typeof findBilled>>>;

/** How a subscription is known to the processor, with the page of its newest invoice that is still to be paid, if any. */
export async function findBilled(db: Kysely<Tables>, workspaceId: string, subscriptionId: string) {
  return await db
    .selectFrom("subscriptions")
    .leftJoin("invoices", (join) =>
      join
        .onRef("invoices.subscription_id", "=", "subscriptions.id")
        .on("invoices.workspace_id", "=", workspaceId)
        .on("invoices.status", "=", "open"),
    )
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.id", "=", subscriptionId)
    .select(["provider_subscription_id", "subscriptions.provider_account", "invoices.hosted_url"])
    .orderBy("invoices.issued_at", (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst();
}
