import { fieldKeyFromName } from "#libs/domain/field-key.ts";
import { reorderFields } from "#libs/domain/reorder.ts";
import { notFound } from "#libs/http/index.ts";
import { actorOf, api } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { keepCap } from "../caps.ts";
import { changeCatalogue, orderAfterLast } from "../catalogue.ts";
import { changeField, deleteField } from "./change.ts";
import { listFieldOrder, writeFieldOrder } from "./order.ts";
import { presentField } from "./present.ts";
import { findField, listFields, listKeys } from "./queries.ts";
import { insertField, refuseUnsound } from "./values.ts";

export const fieldRoutes = {
  list: api.fields.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await listFields(services.db, input.workspaceId, input);
    return { ...envelope, items: rows.map(presentField) };
  }),

  get: api.fields.get.handler(async ({ input, context: { services } }) => {
    const row = await findField(services.db, input.workspaceId, input.fieldId);
    if (row === undefined) throw notFound("Field");
    return presentField(row);
  }),

  create: api.fields.create.handler(async ({ input, context }) => {
    const { workspaceId } = input;
    refuseUnsound(input);
    return await changeCatalogue(context.services.db, workspaceId, async (trx) => {
      await keepCap(trx, "fields", workspaceId);
      const made = await insertField(trx, workspaceId, {
        ...input,
        key: input.key ?? fieldKeyFromName(input.name, await listKeys(trx, workspaceId)),
        order: input.order ?? (await orderAfterLast(trx, "fields", workspaceId)),
      });
      const shown = presentField(made);
      await recordChange(trx, actorOf(context), {
        workspaceId,
        action: "field.create",
        resourceId: made.id,
        after: shown,
      });
      return shown;
    });
  }),

  update: api.fields.update.handler(async ({ input, context }) => changeField(context, input, input)),

  delete: api.fields.delete.handler(async ({ input, context }) => {
    await deleteField(context, input);
    return { success: true };
  }),

  reorder: api.fields.reorder.handler(async ({ input, context }) => {
    const { workspaceId } = input;
    await changeCatalogue(context.services.db, workspaceId, async (trx) => {
      const before = await listFieldOrder(trx, workspaceId);
      const known = new Set(before);
      if (input.fields.some((move) => !known.has(move.id))) throw notFound("Field");

      const after = reorderFields(before, input.fields);
      await writeFieldOrder(trx, workspaceId, after);
      if (after.every((id, position) => id === before[position])) return;
      await recordChange(trx, actorOf(context), {
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
