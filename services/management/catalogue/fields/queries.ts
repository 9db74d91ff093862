import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { isId } from "#libs/domain/ids.ts";
import { unavailable } from "#libs/http/index.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import { lockCatalogue } from "../../store/workspace-lock.ts";

const SHOWN: Order = {
  name: "fields:order",
  keys: [orderKey("fields.order", "number", "asc"), orderKey("fields.id", "text", "asc")],
};

/** One page of a workspace's fields, in order. */
export async function listFields(db: Kysely<Tables>, workspaceId: string, request: PageRequest) {
  return await readPageOf(
    db,
    request,
    SHOWN,
    (at) => at.selectFrom("fields").where("workspace_id", "=", workspaceId),
    (found, columns) => found.selectAll().select(columns),
  );
}

function fieldsInOrder(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .selectAll()
    .orderBy("order")
    .orderBy("id");
}

/** The fields that an advertiser fills in, in order. */
export async function listFieldsForAdvertisers(db: Kysely<Tables>, workspaceId: string) {
  return await fieldsInOrder(db, workspaceId).where("is_publisher_only", "=", false).execute();
}

/** All fields of a workspace, in order; at most as many as `COUNT_LIMITS` says. */
export async function listAllFields(db: Kysely<Tables>, workspaceId: string) {
  return await fieldsInOrder(db, workspaceId).execute();
}

/** The rules that the field values of a workspace's ads must follow, in the fields' order. */
export async function listFieldRules(db: Kysely<Tables>, workspaceId: string): Promise<FieldRules[]> {
  const rows = await fieldsInOrder(db, workspaceId).execute();
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
    image: row.image,
  }));
}

/** The ids of the existing fields; an ad may still have values of deleted ones. */
export async function listFieldIds(db: Kysely<Tables>, workspaceId: string): Promise<Set<string>> {
  return new Set((await listFieldRules(db, workspaceId)).map(({ id }) => id));
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

/** Whether an ad or revision of the workspace has a value of the field. */
export async function isFieldUsed(trx: Transaction<Tables>, workspaceId: string, fieldId: string) {
  const holdsValue = sql<boolean>`(meta ? ${fieldId} or images_elsewhere ? ${fieldId})`;
  const { held } = await trx
    .selectNoFrom((select) => {
      const held = (["ads", "revisions"] as const).map((table) =>
        select.exists(
          select
            .selectFrom(table)
            .where("workspace_id", "=", workspaceId)
            .where(holdsValue)
            .select("workspace_id"),
        ),
      );
      return select.or(held).as("held");
    })
    .executeTakeFirstOrThrow();
  return held === true;
}

/** Renumbers the workspace's fields 0..n-1 in the order of the ids. Writes only those whose number changes. */
export async function writeFieldOrder(trx: Transaction<Tables>, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  const place = sql<number>`array_position(${ids}::text[], id) - 1`;
  await trx
    .updateTable("fields")
    .set({ order: place, updated_at: sql<Date>`now()` })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", sql<string>`any(${ids}::text[])`)
    .where("order", "<>", place)
    .execute();
}

const ATTEMPTS = 5;
const RETRY_AFTER_MS = 1_000;

/** The fields have changed since a submission's values were checked. */
class RulesChanged extends Error {
  override readonly name = "RulesChanged";
}

/**
 * The last step of a submission's transaction: locks the catalogue, and throws if the rules that the values were checked by
 * have changed. From then on a change of a field waits, and sees the values.
 */
export async function requireRules(
  trx: Transaction<Tables>,
  workspaceId: string,
  rules: readonly FieldRules[],
): Promise<void> {
  await lockCatalogue(trx, workspaceId);
  if (!isDeepStrictEqual(await listFieldRules(trx, workspaceId), rules)) throw new RulesChanged();
}

/** Submits again by the new rules if they changed meanwhile. Throws 503 if they keep changing. */
export async function untilRulesHold<T>(submit: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await submit();
    } catch (error) {
      if (!(error instanceof RulesChanged)) throw error;
    }
  }
  throw unavailable(RETRY_AFTER_MS);
}
