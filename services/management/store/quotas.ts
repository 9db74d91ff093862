import { type Expression, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { COUNT_LIMITS } from "#libs/domain/limits.ts";
import { conflict } from "#libs/http/index.ts";
import { lockCatalogue } from "./workspace-lock.ts";

/** The tables that are counted per workspace, and the kind of key that is counted. */
const COUNTED = {
  tiers: { table: "tiers" },
  pricesInAll: { table: "prices" },
  fields: { table: "fields" },
  members: { table: "members" },
  apiKeys: { table: "api_keys", kind: "api" },
  trackingKeys: { table: "api_keys", kind: "tracking" },
} as const;

/** Throws 409 if one more would exceed the workspace's quota. Locks the workspace, so that two requests at once do not. */
export async function enforceQuota(
  trx: Transaction<Tables>,
  what: keyof typeof COUNTED,
  workspaceId: string,
): Promise<void> {
  const counted = COUNTED[what];
  const rows = trx.selectFrom(counted.table).where("workspace_id", "=", workspaceId).select("id");
  const keys = trx.selectFrom("api_keys").where("workspace_id", "=", workspaceId).select("id");
  const ofKind = "kind" in counted ? keys.where("kind", "=", counted.kind) : rows;
  await requireRoom(trx, what, workspaceId, ofKind);
}

/** Like `enforceQuota`, for the prices of a tier and of the workspace. */
export async function enforcePriceQuota(
  trx: Transaction<Tables>,
  { workspaceId, tierId }: { readonly workspaceId: string; readonly tierId: string },
): Promise<void> {
  await enforceQuota(trx, "pricesInAll", workspaceId);
  const ofWorkspace = trx.selectFrom("prices").where("workspace_id", "=", workspaceId);
  await requireRoom(trx, "prices", workspaceId, ofWorkspace.where("tier_id", "=", tierId).select("id"));
}

/** Like `enforceQuota`, for open invitations. An invitation that replaces another of the same address does not count. */
export async function enforceInvitationQuota(
  trx: Transaction<Tables>,
  { workspaceId, email, now }: { readonly workspaceId: string; readonly email: string; readonly now: Date },
): Promise<void> {
  const open = trx
    .selectFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .where("email", "!=", email);
  await requireRoom(trx, "invitations", workspaceId, open.select("id"));
}

/** Like `enforceQuota`, for corrections that are applied. */
export async function enforceCorrectionQuota(trx: Transaction<Tables>, workspaceId: string): Promise<void> {
  const applied = trx
    .selectFrom("corrections")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "Applied");
  await requireRoom(trx, "corrections", workspaceId, applied.select("id"));
}

/**
 * Throws 409 if a person owns more than `most` workspaces, counting the one that the transaction has just created. Locks the
 * person, so that two requests at once do not exceed it.
 */
export async function enforceWorkspaceQuota(
  trx: Transaction<Tables>,
  personId: string,
  most: number,
): Promise<void> {
  await trx.selectFrom("people").where("id", "=", personId).select("id").forNoKeyUpdate().execute();
  const { total } = await trx
    .selectFrom("members")
    .where("person_id", "=", personId)
    .where("role", "=", "Owner")
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  if (total <= most) return;
  throw conflict("LIMIT_REACHED", {
    formErrors: [`One person may own ${most} ${most === 1 ? "workspace" : "workspaces"} at most.`],
  });
}

async function requireRoom(
  trx: Transaction<Tables>,
  what: keyof typeof COUNT_LIMITS,
  workspaceId: string,
  counted: Expression<unknown>,
): Promise<void> {
  await lockCatalogue(trx, workspaceId);
  const total = sql<number>`(select count(*) from ${counted} as counted)`.as("total");
  const found = await trx.selectNoFrom(total).executeTakeFirstOrThrow();
  const { most, sentence } = COUNT_LIMITS[what];
  if (found.total >= most) throw conflict("LIMIT_REACHED", { formErrors: [sentence] });
}
