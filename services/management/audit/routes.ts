import { api, forMembers } from "../api/api.ts";
import { inPageTurn } from "../api/turns.ts";
import { findSubjects, listChanges } from "./queries.ts";
import { shortened } from "./shorten.ts";

export const auditRoutes = {
  list: forMembers(api.audit.list, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const { envelope, rows, subjects } = await inPageTurn(db, workspaceId, reply.raw, async () => {
      const page = await listChanges(db, workspaceId, input, input);
      return { ...page, subjects: await findSubjects(db, workspaceId, page.rows) };
    });
    return {
      ...envelope,
      items: rows.map((row) => ({
        id: row.id,
        occurredAt: row.occurred_at.toISOString(),
        actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
        action: row.action,
        resource: { kind: row.resource_kind, id: row.resource_id },
        subject: subjects.get(row.resource_id) ?? null,
        // Those of earlier releases may be longer.
        before: row.before === null ? null : { ...shortened(row.before) },
        after: row.after === null ? null : { ...shortened(row.after) },
      })),
    };
  }),
};
