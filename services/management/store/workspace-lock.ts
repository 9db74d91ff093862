import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/**
 * Changes a workspace's catalogue (tiers, prices, fields), one change at a time, so that each sees the result of the one
 * before: the last `order`, the taken keys, the row to merge into. The workspace's row is the lock and is taken first, so
 * `change` must not lock a subscription or an ad.
 */
export async function changeCatalogue<T>(
  db: Kysely<Tables>,
  workspaceId: string,
  change: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx, workspaceId);
    return await change(trx);
  });
}

/** Blocks other changes of the catalogue until the transaction ends. */
export async function lockCatalogue(trx: Transaction<Tables>, workspaceId: string): Promise<void> {
  // Not FOR UPDATE, for which every insert that refers to the workspace would wait.
  await trx.selectFrom("workspaces").where("id", "=", workspaceId).select("id").forNoKeyUpdate().execute();
}

/** The `order` after the workspace's last tier or field; only exact within `changeCatalogue`. */
export async function orderAfterLast(
  trx: Transaction<Tables>,
  table: "tiers" | "fields",
  workspaceId: string,
): Promise<number> {
  const last = await trx
    .selectFrom(table)
    .where("workspace_id", "=", workspaceId)
    .select("order")
    .orderBy("order", "desc")
    .limit(1)
    .executeTakeFirst();
  // After the largest order there is only a tie, which ids break: the newest comes last.
  return last === undefined ? 0 : Math.min(last.order + 1, Number.MAX_SAFE_INTEGER);
}
