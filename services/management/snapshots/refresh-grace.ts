import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { refreshServingWindow } from "./publish.ts";

/** Ads per page. */
const PAGE = 100;

/** Sets the serving windows of a workspace's ads whose renewal is unpaid, after a change of its grace period. */
export async function refreshGrace(
  { db, now }: { readonly db: Kysely<Tables>; readonly now: () => number },
  workspaceId: string,
): Promise<void> {
  let after = "";
  for (;;) {
    const page = await db
      .selectFrom("subscriptions")
      .innerJoin("ads", "ads.subscription_id", "subscriptions.id")
      .where("subscriptions.workspace_id", "=", workspaceId)
      .where("subscriptions.renewal_failed_at", "is not", null)
      .where("subscriptions.id", ">", after)
      .select(["subscriptions.id as subscription_id", "ads.id as ad_id"])
      .orderBy("subscriptions.id")
      .limit(PAGE)
      .execute();
    for (const { subscription_id: subscriptionId, ad_id: adId } of page) {
      await db.transaction().execute(async (trx) => {
        // In the order in which every change locks them.
        await trx
          .selectFrom("subscriptions")
          .where("id", "=", subscriptionId)
          .select("id")
          .forUpdate()
          .execute();
        const ad = await trx
          .selectFrom("ads")
          .where("id", "=", adId)
          .select("id")
          .forUpdate()
          .executeTakeFirst();
        if (ad !== undefined) await refreshServingWindow(trx, adId, now());
      });
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.subscription_id;
  }
}
