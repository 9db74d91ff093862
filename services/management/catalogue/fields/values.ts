import type { Selectable, Transaction } from "kysely";
import type { Field } from "#libs/contract/fields.ts";
import { violatedConstraint } from "#libs/database/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import { checkFieldDefinition } from "#libs/domain/field-definition.ts";
import { newId } from "#libs/domain/ids.ts";
import { checkFieldSizes } from "#libs/domain/value-bytes.ts";
import { conflict, invalidInput } from "#libs/http/index.ts";

type FieldRow = Selectable<Tables["fields"]>;

/** The part of a field that its publisher decides. */
type FieldDraft = Omit<Field, "id" | "workspaceId" | "createdAt" | "updatedAt">;

/** Changes of a field; undefined leaves a value unchanged. */
export type FieldChanges = { readonly [K in keyof FieldDraft]?: FieldDraft[K] | undefined };

/** The field after the changes. */
export function mergeField(row: FieldRow, changes: FieldChanges): FieldDraft {
  return {
    key: changes.key ?? row.key,
    name: changes.name ?? row.name,
    type: changes.type ?? row.type,
    description: changes.description ?? row.description,
    default: changes.default ?? row.default,
    placeholder: changes.placeholder ?? row.placeholder,
    isRequired: changes.isRequired ?? row.is_required,
    isPublisherOnly: changes.isPublisherOnly ?? row.is_publisher_only,
    order: changes.order ?? row.order,
    options: changes.options ?? row.options,
    // Null is a value of these: no limit.
    maxLength: changes.maxLength === undefined ? row.max_length : changes.maxLength,
    min: changes.min === undefined ? row.min : changes.min,
    max: changes.max === undefined ? row.max : changes.max,
    image: changes.image === undefined ? row.image : changes.image,
  };
}

/** Throws 422 for a field whose settings contradict each other. */
export function refuseUnsound(draft: Parameters<typeof checkFieldDefinition>[0]): void {
  const fieldErrors = checkFieldDefinition(draft);
  if (Object.keys(fieldErrors).length > 0) throw invalidInput("INVALID_INPUT", { fieldErrors });
}

/** Throws 422 for a field that makes its workspace's fields too large together. `others` may include the field itself. */
export function refuseTooLarge(
  others: readonly FieldRow[],
  field: { readonly id: string; readonly before?: FieldDraft; readonly after: FieldDraft },
): void {
  const { id, before, after } = field;
  const fieldErrors = checkFieldSizes(
    others.filter((other) => other.id !== id).map((other) => ({ id: other.id, ...mergeField(other, {}) })),
    before === undefined ? undefined : { id, ...before },
    { id, ...after },
  );
  if (Object.keys(fieldErrors).length > 0) throw invalidInput("INVALID_INPUT", { fieldErrors });
}

/** Creates a field. Throws 409 at `key` if the key is taken. */
export async function insertField(trx: Transaction<Tables>, workspaceId: string, draft: FieldDraft) {
  return await claimKey(
    trx
      .insertInto("fields")
      .values({ id: newId("field"), workspace_id: workspaceId, ...asColumns(draft) })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Writes a field of the workspace. Throws 409 at `key` if the key is taken. */
export async function writeField(
  trx: Transaction<Tables>,
  workspaceId: string,
  fieldId: string,
  draft: FieldDraft,
) {
  return await claimKey(
    trx
      .updateTable("fields")
      .set({ ...asColumns(draft), updated_at: new Date() })
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", fieldId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

function asColumns(draft: FieldDraft) {
  return {
    key: draft.key,
    name: draft.name,
    type: draft.type,
    description: draft.description,
    default: draft.default,
    placeholder: draft.placeholder,
    is_required: draft.isRequired,
    is_publisher_only: draft.isPublisherOnly,
    order: draft.order,
    options: JSON.stringify(draft.options),
    max_length: draft.maxLength,
    min: draft.min,
    max: draft.max,
    image: draft.image === null ? null : JSON.stringify(draft.image),
  };
}

async function claimKey<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatedConstraint(error) !== "fields_key") throw error;
    throw conflict("FIELD_KEY_TAKEN", {
      fieldErrors: { key: ["Another field of the workspace has this key."] },
    });
  }
}

/** A creative field as every endpoint returns it. */
export function presentField(row: FieldRow): Field {
  return {
    id: row.id,
    ...mergeField(row, {}),
    workspaceId: row.workspace_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
