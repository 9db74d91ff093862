import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { isId } from "#libs/domain/ids.ts";
import { type PageRequest, readPageOf } from "../pages.ts";

/** One page of a workspace's fields, in order. */
export async function listFields(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  return await readPageOf(
    db,
    request,
    (at) => at.selectFrom("fields").where("workspace_id", "=", workspaceId),
    (found, total) => found.selectAll().select(total).orderBy("order").orderBy("id"),
  );
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

/** A field of the workspace, or undefined. */
export async function findField(db: Kysely<Tables>, workspaceId: string, fieldId: string) {
  if (!isId("field", fieldId)) return undefined;
  return await db
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", fieldId)
    .selectAll()
    .executeTakeFirst();
}

/** The keys that the workspace's fields have. */
export async function listKeys(trx: Transaction<Tables>, workspaceId: string): Promise<Set<string>> {
  const rows = await trx.selectFrom("fields").where("workspace_id", "=", workspaceId).select("key").execute();
  return new Set(rows.map(({ key }) => key));
}

/** Whether an ad of the workspace, or a revision of one, holds a value of the field. */
export async function isFieldHeld(
  trx: Transaction<Tables>,
  workspaceId: string,
  fieldId: string,
): Promise<boolean> {
  const holds = sql<boolean>`(meta ? ${fieldId} or images_elsewhere ? ${fieldId})`;
  const { held } = await trx
    .selectNoFrom((select) => {
      const held = (["ads", "revisions"] as const).map((table) =>
        select.exists(
          select
            .selectFrom(table)
            .where("workspace_id", "=", workspaceId)
            .where(holds)
            .select("workspace_id"),
        ),
      );
      return select.or(held).as("held");
    })
    .executeTakeFirstOrThrow();
  return held === true;
}
