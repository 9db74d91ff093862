import { newApiKey } from "#libs/domain/api-key.ts";
import { httpError, notFound } from "#libs/http/index.ts";
import { actorOf, api } from "../api.ts";
import { deleteKey, insertKey, listKeys } from "./queries.ts";

export const apiKeyRoutes = {
  list: api.apiKeys.list.handler(async ({ input, context: { services } }) => {
    const rows = await listKeys(services.db, input.workspaceId);
    return {
      items: rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        createdAt: row.created_at.toISOString(),
        createdBy: { id: row.person_id, name: row.person_name },
      })),
    };
  }),

  create: api.apiKeys.create.handler(async ({ input, context }) => {
    const { member } = actorOf(context);
    if (member === null) throw httpError("FORBIDDEN");
    const { key, prefix, hash } = newApiKey();
    const row = await insertKey(context.services.db, {
      workspaceId: input.workspaceId,
      memberId: member.id,
      name: input.name,
      prefix,
      hash,
    });
    return { id: row.id, name: input.name, prefix, key, createdAt: row.created_at.toISOString() };
  }),

  revoke: api.apiKeys.revoke.handler(async ({ input, context: { services } }) => {
    if (!(await deleteKey(services.db, input.workspaceId, input.keyId))) throw notFound("API key");
    return { success: true };
  }),
};
