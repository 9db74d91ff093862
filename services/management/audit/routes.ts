import { api, forMembers } from "../api.ts";
import { listChanges } from "./queries.ts";

export const auditRoutes = {
  list: forMembers(api.audit.list, async ({ input, context: { services, access } }) => {
    const { envelope, rows } = await listChanges(services.db, access.workspaceId, input);
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
