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
  await sql`
    update fields set "order" = position - 1, updated_at = case when "order" = position - 1 then updated_at else now() end
    from unnest(${ids}::text[]) with ordinality as placed (id, position)
    where fields.workspace_id = ${workspaceId} and fields.id = placed.id
  `.execute(trx);
}
