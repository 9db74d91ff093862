import type { Selectable } from "kysely";
import type { FieldsTable } from "#libs/database/tables-tiers.ts";

/** A creative field in every surface. */
export function presentField(row: Selectable<FieldsTable>) {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    type: row.type,
    description: row.description,
    default: row.default,
    placeholder: row.placeholder,
    isRequired: row.is_required,
    isPublisherOnly: row.is_publisher_only,
    order: row.order,
    options: row.options,
    maxLength: row.max_length,
    min: row.min,
    max: row.max,
    workspaceId: row.workspace_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
