import { onePage } from "#libs/contract/query.ts";
import { violatedConstraint } from "#libs/database/errors.ts";
import { newApiKey } from "#libs/domain/api-key.ts";
import { hasRole } from "#libs/domain/member.ts";
import { httpError, notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../../api/api.ts";
import { recordChange } from "../../audit/record.ts";
import { enforceQuota } from "../../store/quotas.ts";
import { deleteKey, findMakersRole, insertKey, listKeys } from "./queries.ts";

/** The foreign key that ties a key to its maker's membership. */
const MEMBERSHIP = "api_keys_workspace_id_member_id_fkey";

export const apiKeyRoutes = {
  list: forMembers(api.apiKeys.list, async ({ context: { db, access } }) => {
    const rows = await listKeys(db, access.workspaceId);
    return onePage(
      rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        createdAt: row.created_at.toISOString(),
        createdBy: { id: row.person_id, name: row.person_name },
      })),
    );
  }),

  create: forMembers(api.apiKeys.create, async ({ input, context }) => {
    const { actor, workspaceId, memberId } = context.access;
    const { name } = input;
    const { key, prefix, hash } = newApiKey();
    try {
      return await context.db.transaction().execute(async (trx) => {
        await enforceQuota(trx, "apiKeys", workspaceId);
        const row = await insertKey(trx, { workspaceId, memberId, name, prefix, hash });
        await recordChange(trx, actor, {
          workspaceId,
          action: "api-key.create",
          resourceId: row.id,
          after: { name, prefix },
        });
        return { id: row.id, name, prefix, key, createdAt: row.created_at.toISOString() };
      });
    } catch (error) {
      // The membership has ended since the access check.
      if (violatedConstraint(error) === MEMBERSHIP) throw httpError("FORBIDDEN");
      throw error;
    }
  }),

  revoke: forMembers(api.apiKeys.revoke, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { keyId } = input;
    await context.db.transaction().execute(async (trx) => {
      const makersRole = await findMakersRole(trx, workspaceId, keyId);
      if (makersRole !== undefined && !hasRole(context.access.role, makersRole)) {
        throw httpError("FORBIDDEN", "Only an Owner may revoke an Owner's key.");
      }
      const revoked = await deleteKey(trx, workspaceId, keyId);
      if (revoked === undefined) throw notFound("API key");
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "api-key.revoke",
        resourceId: keyId,
        before: revoked,
      });
    });
    return { success: true };
  }),
};
