import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { RevenueFact, RevenueWindow } from "#libs/domain/revenue.ts";

/** The format of a period's name in SQL. */
const FORMATS = { months: "YYYY-MM", days: "YYYY-MM-DD" };

/** The amounts paid and refunded in each period of the window, by currency. */
export async function findRevenue(
  db: Kysely<Tables>,
  workspaceId: string,
  { of, from, until }: RevenueWindow,
): Promise<RevenueFact[]> {
  const format = sql.lit(FORMATS[of]);
  const paid = await db
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "paid")
    .where("paid_at", ">=", new Date(from))
    .where("paid_at", "<", new Date(until))
    .select((select) => [
      sql<string>`to_char(paid_at at time zone 'UTC', ${format})`.as("period"),
      "currency",
      select.fn.sum<number>("amount_paid").as("gross"),
      select.fn.countAll<number>().as("invoices"),
    ])
    .groupBy(["period", "currency"])
    .execute();
  const refunded = await db
    .selectFrom("refunds")
    .where("workspace_id", "=", workspaceId)
    .where("refunded_at", ">=", new Date(from))
    .where("refunded_at", "<", new Date(until))
    .select((select) => [
      sql<string>`to_char(refunded_at at time zone 'UTC', ${format})`.as("period"),
      "currency",
      select.fn.sum<number>("amount").as("refunded"),
    ])
    .groupBy(["period", "currency"])
    .execute();
  return [...paid, ...refunded];
}

/** The currency in which the workspace bills. */
export async function findCurrency(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const { currency } = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("currency")
    .executeTakeFirstOrThrow();
  return currency;
}
