import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { api, forMembers } from "../api/api.ts";
import { type PageRequest, readPageOf } from "../api/pages.ts";

export const auditRoutes = {
  list: forMembers(api.audit.list, async ({ input, context: { db, access } }) => {
    const { envelope, rows } = await listChanges(db, access.workspaceId, input);
    return {
      ...envelope,
      items: rows.map((row) => ({
        id: row.id,
        occurredAt: row.occurred_at.toISOString(),
        actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
        action: row.action,
        resource: { kind: row.resource_kind, id: row.resource_id },
        before: row.before === null ? null : { ...row.before },
        after: row.after === null ? null : { ...row.after },
      })),
    };
  }),
};

/** One page of a workspace's changes, newest first. */
async function listChanges(db: Kysely<Tables>, workspaceId: string, page: PageRequest) {
  return await readPageOf(
    db,
    page,
    (at) => at.selectFrom("audit_log").where("workspace_id", "=", workspaceId),
    (found, total) => found.selectAll().select(total).orderBy("id", "desc"),
  );
}
