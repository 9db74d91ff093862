import type { Transaction } from "kysely";
import { violatedConstraint } from "#libs/database/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type KeyKind, newKey } from "#libs/domain/api-key.ts";
import { hasRole } from "#libs/domain/member.ts";
import { httpError, notFound } from "#libs/http/index.ts";
import type { MemberContext } from "../../api/api.ts";
import { recordChange } from "../../audit/record.ts";
import { bumpSnapshotVersion } from "../../snapshots/publish.ts";
import { enforceQuota } from "../../store/quotas.ts";
import { deleteKey, findMakersRole, insertKey } from "./queries.ts";

/** The foreign key that ties a key to its maker's membership. */
const MEMBERSHIP = "api_keys_workspace_id_member_id_fkey";

interface KindOfKey {
  readonly quota: "apiKeys" | "trackingKeys";
  readonly audited: "api-key" | "tracking-key";
  readonly name: string;
  /** What else a new or a revoked key changes. */
  readonly onChange: (trx: Transaction<Tables>, workspaceId: string) => Promise<void>;
}

const KINDS: Readonly<Record<KeyKind, KindOfKey>> = {
  api: { quota: "apiKeys", audited: "api-key", name: "API key", onChange: async () => undefined },
  // Serving knows them from the snapshot.
  tracking: {
    quota: "trackingKeys",
    audited: "tracking-key",
    name: "Tracking key",
    onChange: bumpSnapshotVersion,
  },
};

/** Makes a key, the only time that it is seen. 403 for a membership that has just ended, 409 above the quota. */
export async function makeKey({ db, access }: MemberContext, kind: KeyKind, name: string) {
  const { actor, workspaceId, memberId } = access;
  const { quota, audited, onChange } = KINDS[kind];
  const { key, prefix, hash } = newKey(kind);
  try {
    return await db.transaction().execute(async (trx) => {
      await enforceQuota(trx, quota, workspaceId);
      const row = await insertKey(trx, kind, { workspaceId, memberId, name, prefix, hash });
      await onChange(trx, workspaceId);
      await recordChange(trx, actor, {
        workspaceId,
        action: `${audited}.create`,
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
}

/** Revokes a key. 404 where the workspace has none of that kind, 403 for an Owner's key, unless an Owner asks. */
export async function revokeKey({ db, access }: MemberContext, kind: KeyKind, keyId: string) {
  const { workspaceId } = access;
  const { audited, name, onChange } = KINDS[kind];
  await db.transaction().execute(async (trx) => {
    const makersRole = await findMakersRole(trx, kind, { workspaceId, keyId });
    if (makersRole !== undefined && !hasRole(access.role, makersRole)) {
      throw httpError("FORBIDDEN", "Only an Owner may revoke an Owner's key.");
    }
    const before = await deleteKey(trx, kind, { workspaceId, keyId });
    if (before === undefined) throw notFound(name);
    await onChange(trx, workspaceId);
    await recordChange(trx, access.actor, {
      workspaceId,
      action: `${audited}.revoke`,
      resourceId: keyId,
      before,
    });
  });
  return { success: true };
}
