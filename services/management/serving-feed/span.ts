import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { nextSpan } from "#libs/domain/eligibility.ts";
import { announceChange } from "./version.ts";

/**
 * Brings the stretch of time in which an ad is served in line with its review and subscription, and announces the
 * change. To be called after each change of either, in the same transaction, with the ad's row locked by it.
 */
export async function settleServing(trx: Transaction<Tables>, adId: string, now: number): Promise<void> {
  const row = await trx
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .where("ads.id", "=", adId)
    .select([
      "ads.workspace_id",
      "ads.status",
      "ads.serving_since",
      "ads.serving_until",
      "subscriptions.status as subscription_status",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.current_period_end",
    ])
    .executeTakeFirstOrThrow();

  const span = nextSpan(
    { since: row.serving_since?.getTime() ?? null, until: row.serving_until?.getTime() ?? null },
    {
      adStatus: row.status,
      subscriptionStatus: row.subscription_status,
      cancelAtPeriodEnd: row.cancel_at_period_end,
      cancelAt: row.cancel_at?.getTime() ?? null,
      currentPeriodEnd: row.current_period_end?.getTime() ?? null,
    },
    now,
  );
  await trx
    .updateTable("ads")
    .set({
      serving_since: span.since === null ? null : new Date(span.since),
      serving_until: span.until === null ? null : new Date(span.until),
    })
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", adId)
    .execute();
  await announceChange(trx, row.workspace_id);
}
