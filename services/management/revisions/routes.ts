import { notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { listFieldIds } from "../fields/queries.ts";
import { decisionRoutes } from "./decide.ts";
import { presentRevision } from "./present.ts";
import { findRevision, listRevisions } from "./queries.ts";

export const revisionRoutes = {
  list: api.revisions.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await listRevisions(services.db, input.workspaceId, input);
    const fieldIds = await listFieldIds(services.db, input.workspaceId);
    return { ...envelope, items: rows.map((row) => presentRevision(row, fieldIds)) };
  }),

  get: api.revisions.get.handler(async ({ input, context: { services } }) => {
    const row = await findRevision(services.db, input.workspaceId, input.adId);
    if (row === undefined) throw notFound("Revision");
    return presentRevision(row, await listFieldIds(services.db, input.workspaceId));
  }),

  ...decisionRoutes,
};
