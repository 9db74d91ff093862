import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Payments } from "#libs/payments/index.ts";
import { refreshServingWindow } from "./publish.ts";

/** Ads per page. */
const PAGE = 100;

export interface WindowPorts {
  readonly db: Kysely<Tables>;
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/** Sets the serving windows of a workspace's ads whose renewal is unpaid, after a change of its grace period. */
export async function refreshGrace(ports: WindowPorts, workspaceId: string): Promise<void> {
  await refreshWindows(ports, (ads) =>
    ads
      .where("subscriptions.workspace_id", "=", workspaceId)
      .where("subscriptions.renewal_failed_at", "is not", null),
  );
}

/**
 * Sets the serving windows whose end is to come, in all workspaces, after the processor's clock has moved: they are in real time,
 * and the end is the processor's.
 */
export async function refreshEnds(ports: WindowPorts): Promise<void> {
  const now = new Date(ports.now());
  await refreshWindows(ports, (ads) => ads.where("ads.serving_until", ">", now));
}

type Ads = SelectQueryBuilder<Tables, "subscriptions" | "ads", object>;

async function refreshWindows(ports: WindowPorts, select: (ads: Ads) => Ads): Promise<void> {
  const { db } = ports;
  let after = "";
  for (;;) {
    const page = await select(
      db.selectFrom("subscriptions").innerJoin("ads", "ads.subscription_id", "subscriptions.id"),
    )
      .where("subscriptions.id", ">", after)
      .select(["subscriptions.id as subscription_id", "ads.id as ad_id"])
      .orderBy("subscriptions.id")
      .limit(PAGE)
      .execute();
    for (const { subscription_id: subscriptionId, ad_id: adId } of page) {
      await refreshOne(ports, subscriptionId, adId);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.subscription_id;
  }
}

async function refreshOne(
  { db, payments, now }: WindowPorts,
  subscriptionId: string,
  adId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // In the order in which every change locks them.
    await trx.selectFrom("subscriptions").where("id", "=", subscriptionId).select("id").forUpdate().execute();
    const ad = await trx.selectFrom("ads").where("id", "=", adId).select("id").forUpdate().executeTakeFirst();
    if (ad !== undefined) await refreshServingWindow(trx, adId, payments.moment(now()));
  });
}
