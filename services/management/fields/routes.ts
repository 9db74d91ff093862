import { fieldKeyFromName } from "#libs/domain/field-key.ts";
import { reorderFields } from "#libs/domain/reorder.ts";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { keepCap } from "../caps.ts";
import { changeCatalogue, orderAfterLast } from "../catalogue.ts";
import { changeField, deleteField } from "./change.ts";
import { listFieldOrder, writeFieldOrder } from "./order.ts";
import { presentField } from "./present.ts";
import { findField, listFields, listKeys } from "./queries.ts";
import { insertField, refuseUnsound } from "./values.ts";

export const fieldRoutes = {
  list: forMembers(api.fields.list, async ({ input, context: { services, access } }) => {
    const { envelope, rows } = await listFields(services.db, access.workspaceId, input);
    return { ...envelope, items: rows.map(presentField) };
  }),

  get: forMembers(api.fields.get, async ({ input, context: { services, access } }) => {
    const row = await findField(services.db, access.workspaceId, input.fieldId);
    if (row === undefined) throw notFound("Field");
    return presentField(row);
  }),

  create: forMembers(api.fields.create, async ({ input, context }) => {
    const { workspaceId } = context.access;
    refuseUnsound(input);
    return await changeCatalogue(context.services.db, workspaceId, async (trx) => {
      await keepCap(trx, "fields", workspaceId);
      const made = await insertField(trx, workspaceId, {
        ...input,
        key: input.key ?? fieldKeyFromName(input.name, await listKeys(trx, workspaceId)),
        order: input.order ?? (await orderAfterLast(trx, "fields", workspaceId)),
      });
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

  delete: forMembers(api.fields.delete, async ({ input, context }) => {
    await deleteField(context, input.fieldId);
    return { success: true };
  }),

  reorder: forMembers(api.fields.reorder, async ({ input, context }) => {
    const { workspaceId } = context.access;
    await changeCatalogue(context.services.db, workspaceId, async (trx) => {
      const before = await listFieldOrder(trx, workspaceId);
      const known = new Set(before);
      if (input.fields.some((move) => !known.has(move.id))) throw notFound("Field");

      const after = reorderFields(before, input.fields);
      await writeFieldOrder(trx, workspaceId, after);
      if (after.every((id, position) => id === before[position])) return;
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "field.reorder",
        // It is the list that changes, and the list is the workspace's.
        resourceId: workspaceId,
        before: { fields: before },
        after: { fields: after },
      });
    });
    return { success: true };
  }),
};
