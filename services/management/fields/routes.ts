import { reorderFields } from "#libs/domain/reorder.ts";
import { notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { presentField } from "./present.ts";
import { listFields, lockFieldOrder, writeFieldOrder } from "./queries.ts";

export const fieldRoutes = {
  list: api.fields.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await listFields(services.db, input.workspaceId, input);
    return { ...envelope, items: rows.map(presentField) };
  }),

  reorder: api.fields.reorder.handler(async ({ input, context: { services } }) => {
    await services.db.transaction().execute(async (trx) => {
      const current = await lockFieldOrder(trx, input.workspaceId);
      const known = new Set(current);
      if (input.fields.some((move) => !known.has(move.id))) throw notFound("Field");
      await writeFieldOrder(trx, input.workspaceId, reorderFields(current, input.fields));
    });
    return { success: true };
  }),
};
