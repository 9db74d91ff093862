import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** The advertiser with that id and whose it is; undefined when there is none any more. */
export async function findReader(db: Kysely<Tables>, advertiserId: string) {
  return await db
    .selectFrom("advertisers")
    .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
    .where("advertisers.id", "=", advertiserId)
    .select(["advertisers.name", "advertisers.workspace_id", "workspaces.name as workspace"])
    .executeTakeFirst();
}

/** Notes that an advertiser wants no reports; false when that is known already. */
export async function insertUnsubscribe(
  trx: Transaction<Tables>,
  workspaceId: string,
  advertiserId: string,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("report_unsubscribes")
    .values({ advertiser_id: advertiserId, workspace_id: workspaceId })
    .onConflict((conflict) => conflict.column("advertiser_id").doNothing())
    .returning("advertiser_id")
    .executeTakeFirst();
  return inserted !== undefined;
}
