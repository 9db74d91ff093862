import type { Selectable, Transaction } from "kysely";
import { violatedConstraint } from "#libs/database/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldsTable } from "#libs/database/tables-tiers.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { checkFieldDefinition } from "#libs/domain/field-definition.ts";
import { newId } from "#libs/domain/ids.ts";
import { conflict, invalidInput } from "#libs/http/index.ts";

export type FieldRow = Selectable<FieldsTable>;

/** All of a field that its publisher decides. */
export interface FieldDraft {
  readonly key: string;
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  readonly default: string;
  readonly placeholder: string;
  readonly isRequired: boolean;
  readonly isPublisherOnly: boolean;
  readonly order: number;
  readonly options: readonly string[];
  readonly maxLength: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** What of a field changes; what is undefined stays. */
export type FieldChanges = { readonly [K in keyof FieldDraft]?: FieldDraft[K] | undefined };

/** The field as it would be after the changes. */
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
  };
}

/** 422 for a field whose parts do not fit each other. */
export function refuseUnsound(draft: Parameters<typeof checkFieldDefinition>[0]): void {
  const fieldErrors = checkFieldDefinition(draft);
  if (Object.keys(fieldErrors).length > 0) throw invalidInput({ fieldErrors });
}

/** Creates a field; 409 at `key` where it is taken. */
export async function insertField(
  trx: Transaction<Tables>,
  workspaceId: string,
  draft: FieldDraft,
): Promise<FieldRow> {
  return await claimKey(
    trx
      .insertInto("fields")
      .values({ id: newId("field"), workspace_id: workspaceId, ...asColumns(draft) })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Writes a field of the workspace; 409 at `key` where it is taken. */
export async function writeField(
  trx: Transaction<Tables>,
  workspaceId: string,
  fieldId: string,
  draft: FieldDraft,
): Promise<FieldRow> {
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
  };
}

async function claimKey<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatedConstraint(error) !== "fields_key") throw error;
    throw conflict({ fieldErrors: { key: ["Another field of the workspace has this key."] } });
  }
}
