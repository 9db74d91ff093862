import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import type { MemberContext } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { changeCatalogue } from "../catalogue.ts";
import { announceChange } from "../serving-feed/version.ts";
import { presentField } from "./present.ts";
import { findField, isFieldHeld } from "./queries.ts";
import {
  type FieldChanges,
  type FieldDraft,
  type FieldRow,
  mergeField,
  refuseUnsound,
  writeField,
} from "./values.ts";

/**
 * Changes a field and returns it as it is then. 422 where it would not fit together as a whole, 409 at `key` where that
 * is taken, and at `type` where ads hold values of the type it has.
 */
export async function changeField(context: MemberContext, fieldId: string, changes: FieldChanges) {
  const { workspaceId } = context.access;
  return await changeCatalogue(context.services.db, workspaceId, async (trx) => {
    const row = await requireField(trx, workspaceId, fieldId);
    const before = mergeField(row, {});
    const after = mergeField(row, changes);
    if (isDeepStrictEqual(before, after)) return presentField(row);

    refuseUnsound(after);
    if (after.type !== row.type && (await isFieldHeld(trx, workspaceId, fieldId))) {
      throw conflict({ fieldErrors: { type: ["Ads hold values of the type that the field has."] } });
    }
    const written = await writeField(trx, workspaceId, fieldId, after);
    if (isServedOtherwise(before, after)) await announceChange(trx, workspaceId);
    await recordChange(trx, context.access.actor, {
      workspaceId,
      action: "field.update",
      resourceId: fieldId,
      before: { ...before },
      after: { ...after },
    });
    return presentField(written);
  });
}

/** Deletes a field. Ads keep its values, which nobody sees any more. */
export async function deleteField(context: MemberContext, fieldId: string): Promise<void> {
  const { workspaceId } = context.access;
  await changeCatalogue(context.services.db, workspaceId, async (trx) => {
    const row = await requireField(trx, workspaceId, fieldId);
    await trx
      .deleteFrom("fields")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", fieldId)
      .execute();
    await announceChange(trx, workspaceId);
    await recordChange(trx, context.access.actor, {
      workspaceId,
      action: "field.delete",
      resourceId: fieldId,
      before: presentField(row),
    });
  });
}

async function requireField(
  trx: Transaction<Tables>,
  workspaceId: string,
  fieldId: string,
): Promise<FieldRow> {
  const row = await findField(trx, workspaceId, fieldId);
  if (row === undefined) throw notFound("Field");
  return row;
}

/** Serving knows of a field only under which key its values go out, and whether they do. */
function isServedOtherwise(before: FieldDraft, after: FieldDraft): boolean {
  return before.key !== after.key || before.isPublisherOnly !== after.isPublisherOnly;
}
