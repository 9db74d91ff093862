import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../api.ts";
import { listFieldIds } from "../fields/queries.ts";
import { decisionRoutes } from "./decide.ts";
import { presentRevision } from "./present.ts";
import { findRevision, listRevisions } from "./queries.ts";

export const revisionRoutes = {
  list: forMembers(api.revisions.list, async ({ input, context: { services, access } }) => {
    const { envelope, rows } = await listRevisions(services.db, access.workspaceId, input);
    const fieldIds = await listFieldIds(services.db, access.workspaceId);
    return { ...envelope, items: rows.map((row) => presentRevision(row, fieldIds)) };
  }),

  get: forMembers(api.revisions.get, async ({ input, context: { services, access } }) => {
    const row = await findRevision(services.db, access.workspaceId, input.adId);
    if (row === undefined) throw notFound("Revision");
    return presentRevision(row, await listFieldIds(services.db, access.workspaceId));
  }),

  ...decisionRoutes,
};
