import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** What the ledger knows to have been charged on one subscription. */
export interface Charged {
  readonly amount: number;
  /** When its first invoice was issued; null once the ledger is known to go back to the beginning. */
  readonly since: Date | null;
}

/** What was charged on each subscription of those advertisers, by its id; those without an invoice are left out. */
export async function findCharged(
  db: Kysely<Tables>,
  workspaceId: string,
  advertiserIds: readonly string[],
): Promise<Map<string, Charged>> {
  const rows = await db
    .selectFrom("invoices")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .leftJoin("ledger_fills", (join) =>
      join.on("ledger_fills.account", "=", sql<string>`coalesce(subscriptions.provider_account, '')`),
    )
    .where("invoices.workspace_id", "=", workspaceId)
    .where("invoices.advertiser_id", "=", sql<string>`any(${advertiserIds}::text[])`)
    .groupBy(["invoices.subscription_id", "ledger_fills.account"])
    .select([
      "invoices.subscription_id",
      sql<number>`coalesce(sum(invoices.amount_paid) filter (where invoices.status = 'paid'), 0)`.as(
        "amount",
      ),
      sql<Date | null>`case when ledger_fills.account is null then min(invoices.issued_at) end`.as("since"),
    ])
    .execute();
  return new Map(rows.map(({ subscription_id, amount, since }) => [subscription_id, { amount, since }]));
}
