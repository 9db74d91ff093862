import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { type PageRequest, placePage } from "../pages.ts";

/** One page of a workspace's fields, in order. */
export async function listFields(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  const ofWorkspace = db.selectFrom("fields").where("workspace_id", "=", workspaceId);
  const { total } = await ofWorkspace
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { envelope, offset } = placePage(total, request);
  const rows = await ofWorkspace
    .selectAll()
    .orderBy("order")
    .orderBy("id")
    .limit(envelope.perPage)
    .offset(offset)
    .execute();
  return { envelope, rows };
}

/** The fields that an advertiser fills in, in order. */
export async function listFieldsForAdvertisers(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .where("is_publisher_only", "=", false)
    .selectAll()
    .orderBy("order")
    .orderBy("id")
    .execute();
}

/** What the values of a workspace's ads must keep. */
export async function listFieldRules(db: Kysely<Tables>, workspaceId: string): Promise<FieldRules[]> {
  const rows = await db
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .selectAll()
    .orderBy("order")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    type: row.type,
    default: row.default,
    isRequired: row.is_required,
    isPublisherOnly: row.is_publisher_only,
    options: row.options,
    maxLength: row.max_length,
    min: row.min,
    max: row.max,
  }));
}

/** The ids of the fields there are; an ad may still hold values of deleted ones. */
export async function listFieldIds(db: Kysely<Tables>, workspaceId: string): Promise<Set<string>> {
  const rows = await db.selectFrom("fields").where("workspace_id", "=", workspaceId).select("id").execute();
  return new Set(rows.map(({ id }) => id));
}

/** The ids in order, with every row locked so that two reorderings cannot interleave. */
export async function lockFieldOrder(trx: Transaction<Tables>, workspaceId: string): Promise<string[]> {
  // The workspace's row, not the fields': a field created meanwhile would slip between their locks.
  await trx.selectFrom("workspaces").where("id", "=", workspaceId).select("id").forUpdate().execute();
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
