import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Moment } from "#libs/domain/moment.ts";
import type { Payments } from "#libs/payments/index.ts";
import { refreshServingWindow } from "./publish.ts";

/** Ads per page. */
const PAGE = 100;

export interface WindowPorts {
  readonly db: Kysely<Tables>;
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/**
 * Sets the serving windows whose end is to come, in all workspaces, after the processor's clock has moved: they are in real time,
 * and the end is the processor's.
 */
export async function refreshEnds({ db, payments, now }: WindowPorts): Promise<void> {
  const moment = payments.moment(now());
  let after = "";
  for (;;) {
    const page = await db
      .selectFrom("ads")
      .where("serving_until", ">", new Date(now()))
      .where("subscription_id", ">", after)
      .select("subscription_id")
      .orderBy("subscription_id")
      .limit(PAGE)
      .execute();
    for (const { subscription_id: id } of page) {
      await db.transaction().execute((trx) => refreshWindowOf(trx, id, moment));
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.subscription_id;
  }
}

/** Sets the serving window of a subscription's ad, if it has one. */
export async function refreshWindowOf(
  trx: Transaction<Tables>,
  subscriptionId: string,
  moment: Moment,
): Promise<void> {
  // In the order in which every change locks them.
  await trx.selectFrom("subscriptions").where("id", "=", subscriptionId).select("id").forUpdate().execute();
  const ad = await trx
    .selectFrom("ads")
    .where("subscription_id", "=", subscriptionId)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  if (ad !== undefined) await refreshServingWindow(trx, ad.id, moment);
}
