import { onePage } from "#libs/contract/query.ts";
import { api, forMembers } from "../../api/api.ts";
import { makeKey, revokeKey } from "./make-and-revoke.ts";
import { listKeys } from "./queries.ts";

export const apiKeyRoutes = {
  list: forMembers(api.apiKeys.list, async ({ context: { db, access } }) => {
    const rows = await listKeys(db, "api", access.workspaceId);
    return onePage(
      rows.map((row) => ({ ...presentKey(row), lastUsedAt: row.last_used_at?.toISOString() ?? null })),
    );
  }),
  create: forMembers(api.apiKeys.create, ({ input, context }) => makeKey(context, "api", input.name)),
  revoke: forMembers(api.apiKeys.revoke, ({ input, context }) => revokeKey(context, "api", input.keyId)),
};

export const trackingKeyRoutes = {
  list: forMembers(api.trackingKeys.list, async ({ context: { db, access } }) => {
    const rows = await listKeys(db, "tracking", access.workspaceId);
    return onePage(rows.map(presentKey));
  }),
  create: forMembers(api.trackingKeys.create, ({ input, context }) =>
    makeKey(context, "tracking", input.name),
  ),
  revoke: forMembers(api.trackingKeys.revoke, ({ input, context }) =>
    revokeKey(context, "tracking", input.keyId),
  ),
};

function presentKey(row: Awaited<ReturnType<typeof listKeys>>[number]) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    createdBy: { id: row.person_id, name: row.person_name },
  };
}
