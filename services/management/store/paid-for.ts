import { expressionBuilder, type Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/**
 * The condition that something was ever paid for a subscription of the query, refunded or not. Where it does not hold, the sale cost its
 * buyer nothing, and a stranger may have made any number: at a price of 0, in a trial, or one that is charged at the approval.
 */
export function wasPaidFor() {
  const query = expressionBuilder<Tables, "subscriptions">();
  return query.or([
    query("subscriptions.paid_amount", ">", 0),
    query.exists(
      query
        .selectFrom("invoices")
        .whereRef("invoices.workspace_id", "=", "subscriptions.workspace_id")
        .whereRef("invoices.subscription_id", "=", "subscriptions.id")
        .where("invoices.amount_paid", ">", 0)
        .select("invoices.id"),
    ),
  ]);
}

/** Whether `wasPaidFor` holds for one subscription. */
export async function isPaidFor(
  db: Kysely<Tables>,
  workspaceId: string,
  subscriptionId: string,
): Promise<boolean> {
  const paid = await db
    .selectFrom("subscriptions")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", subscriptionId)
    .where(wasPaidFor())
    .select("id")
    .executeTakeFirst();
  return paid !== undefined;
}
