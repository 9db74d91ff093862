import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { fieldKeyFromName } from "#libs/domain/field-key.ts";
import { reorderFields } from "#libs/domain/reorder.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { api, forMembers, type MemberContext } from "../../api/api.ts";
import { requireMatch } from "../../api/preconditions.ts";
import { recordChange } from "../../audit/record.ts";
import { bumpSnapshotVersion } from "../../snapshots/publish.ts";
import { enforceQuota } from "../../store/quotas.ts";
import { changeCatalogue, orderAfterLast } from "../../store/workspace-lock.ts";
import {
  findField,
  isFieldUsed,
  listAllFields,
  listFieldRules,
  listFields,
  writeFieldOrder,
} from "./queries.ts";
import {
  type FieldChanges,
  insertField,
  mergeField,
  presentField,
  refuseTooLarge,
  refuseUnsound,
  writeField,
} from "./values.ts";

export const fieldRoutes = {
  list: forMembers(api.fields.list, async ({ input, context: { db, access } }) => {
    const { envelope, rows } = await listFields(db, access.workspaceId, input);
    return { ...envelope, items: rows.map(presentField) };
  }),

  get: forMembers(api.fields.get, async ({ input, context: { db, access } }) =>
    presentField(await requireField(db, access.workspaceId, input.fieldId)),
  ),

  create: forMembers(api.fields.create, async ({ input, context }) => {
    const { workspaceId } = context.access;
    refuseUnsound(input);
    return await changeCatalogue(context.db, workspaceId, async (trx) => {
      await enforceQuota(trx, "fields", workspaceId);
      const others = await listAllFields(trx, workspaceId);
      const takenKeys = new Set(others.map(({ key }) => key));
      const draft = {
        ...input,
        key: input.key ?? fieldKeyFromName(input.name, takenKeys),
        order: input.order ?? (await orderAfterLast(trx, "fields", workspaceId)),
      };
      refuseTooLarge(others, { id: "", after: draft });
      const made = await insertField(trx, workspaceId, draft);
      const shown = presentField(made);
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "field.create",
        resourceId: made.id,
        after: shown,
      });
      return shown;
    });
  }),

  update: forMembers(api.fields.update, async ({ input, context }) =>
    changeField(context, input.fieldId, input),
  ),

  /** Ads keep the field's values, which are no longer shown. */
  delete: forMembers(api.fields.delete, async ({ input: { fieldId }, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    await changeCatalogue(db, workspaceId, async (trx) => {
      const row = await requireField(trx, workspaceId, fieldId);
      await requireMatch(reply.request, () => presentField(row));
      await trx
        .deleteFrom("fields")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", fieldId)
        .execute();
      await bumpSnapshotVersion(trx, workspaceId);
      await recordChange(trx, access.actor, {
        workspaceId,
        action: "field.delete",
        resourceId: fieldId,
        before: presentField(row),
      });
    });
    return { success: true };
  }),

  reorder: forMembers(api.fields.reorder, async ({ input, context }) => {
    const { workspaceId } = context.access;
    await changeCatalogue(context.db, workspaceId, async (trx) => {
      const before = (await listFieldRules(trx, workspaceId)).map(({ id }) => id);
      const known = new Set(before);
      if (input.fields.some((move) => !known.has(move.id))) throw notFound("Field");

      const after = reorderFields(before, input.fields);
      await writeFieldOrder(trx, workspaceId, after);
      // The others only make room. The whole list, before and after, would be kilobytes for each field that is moved.
      const moved = input.fields.flatMap(({ id }) => (before.indexOf(id) === after.indexOf(id) ? [] : [id]));
      if (moved.length === 0) return;
      const placesIn = (list: readonly string[]) => moved.map((id) => ({ id, order: list.indexOf(id) }));
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "field.reorder",
        // The changed list belongs to the workspace.
        resourceId: workspaceId,
        before: { fields: placesIn(before) },
        after: { fields: placesIn(after) },
      });
    });
    return { success: true };
  }),
};

/**
 * Changes a field and returns it. Throws 422 if its settings would contradict each other or be too large, 409 at `key` if the
 * key is taken, and 409 at `type` while ads have values of the old type.
 */
async function changeField(context: MemberContext, fieldId: string, changes: FieldChanges) {
  const { workspaceId } = context.access;
  return await changeCatalogue(context.db, workspaceId, async (trx) => {
    const row = await requireField(trx, workspaceId, fieldId);
    await requireMatch(context.reply.request, () => presentField(row));
    const before = mergeField(row, {});
    const after = mergeField(row, changes);
    if (isDeepStrictEqual(before, after)) return presentField(row);

    refuseUnsound(after);
    refuseTooLarge(await listAllFields(trx, workspaceId), { id: fieldId, before, after });
    if (after.type !== row.type && (await isFieldUsed(trx, workspaceId, fieldId))) {
      throw conflict("FIELD_TYPE_IN_USE", {
        fieldErrors: { type: ["Ads hold values of the type that the field has."] },
      });
    }
    const written = await writeField(trx, workspaceId, fieldId, after);
    // Serving knows only the key of a field and whether its values are public.
    const isServedAlike = before.key === after.key && before.isPublisherOnly === after.isPublisherOnly;
    if (!isServedAlike) await bumpSnapshotVersion(trx, workspaceId);
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

async function requireField(db: Kysely<Tables>, workspaceId: string, fieldId: string) {
  const row = await findField(db, workspaceId, fieldId);
  if (row === undefined) throw notFound("Field");
  return row;
}
