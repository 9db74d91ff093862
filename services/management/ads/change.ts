import type { FastifyReply } from "fastify";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import type { Moment } from "#libs/domain/moment.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import type { Actor } from "../api/access/granted.ts";
import { requireMatch, requireVersion } from "../api/preconditions.ts";
import { type Change, recordChange } from "../audit/record.ts";
import { listFieldIds } from "../catalogue/fields/queries.ts";
import { updateServingWindow } from "../snapshots/publish.ts";
import { auditedAd, presentAd } from "./present.ts";
import { type AdRow, findShownAd } from "./queries.ts";

/** Throws 409 with the reason, if there is one. */
export function refuseFor(refusal: Refusal | null): void {
  if (refusal !== null) throw conflict(refusal.reason, { formErrors: [refusal.sentence] });
}

/**
 * Throws 412 if the request names another state of the ad, by `If-Match`, and 409 if its body names another `version`. A decision asks
 * in the transaction that has locked the ad, whatever it has asked before.
 */
export async function requireSeen(
  db: Kysely<Tables>,
  { request }: FastifyReply,
  ad: AdRow,
  version?: number,
): Promise<void> {
  await requireMatch(request, async () => presentAd(ad, await listFieldIds(db, ad.workspace_id)));
  requireVersion(version, ad.version);
}

/** Throws 404 if the workspace is being deleted. That may have begun after the caller's access was checked, and leaves pending ads as they are. */
export async function requireNoErasure(trx: Transaction<Tables>, workspaceId: string): Promise<void> {
  const { erasing_since: since } = await trx
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("erasing_since")
    .executeTakeFirstOrThrow();
  if (since !== null) throw notFound("Workspace");
}

/**
 * Ends every change of an ad, in the transaction that locked it as `before`: updates its serving window and records the
 * change in the audit log. Returns the ad's management view.
 */
export async function finishChange(
  trx: Transaction<Tables>,
  actor: Actor,
  action: Change["action"],
  before: AdRow,
  moment: Moment,
) {
  const { workspace_id: workspaceId, id: adId } = before;
  const after = await findShownAd(trx, workspaceId, adId);
  if (after === undefined) throw notFound("Ad");
  await updateServingWindow(trx, after, moment);
  await recordChange(trx, actor, {
    workspaceId,
    action,
    resourceId: adId,
    before: auditedAd(before),
    after: auditedAd(after),
  });
  return presentAd(after, new Set(after.field_ids));
}
