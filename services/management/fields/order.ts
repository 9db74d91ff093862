import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** The ids of a workspace's fields in display order. */
export async function listFieldOrder(trx: Transaction<Tables>, workspaceId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .select("id")
    .orderBy("order")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Renumbers the workspace's fields 0..n-1 in the order of the ids. */
export async function writeFieldOrder(
  trx: Transaction<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const place = sql<number>`array_position(${ids}::text[], id) - 1`;
  await trx
    .updateTable("fields")
    .set({
      order: place,
      updated_at: sql<Date>`case when "order" = ${place} then updated_at else now() end`,
    })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", sql<string>`any(${ids}::text[])`)
    .execute();
}
