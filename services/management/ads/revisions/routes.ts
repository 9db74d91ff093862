import type { FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../../api/api.ts";
import { requireMatch, requireVersion } from "../../api/preconditions.ts";
import { inPageTurn } from "../../api/turns.ts";
import { recordChange } from "../../audit/record.ts";
import { listFieldIds, listFieldRules } from "../../catalogue/fields/queries.ts";
import { mailDecision } from "../../mail/to-advertiser.ts";
import { inspectImages, requireSoundImages } from "../../media/uploads/inspection.ts";
import { withinApprovedBytes } from "../../snapshots/approved-bytes.ts";
import { effectOfApproval } from "../approval-effect.ts";
import { finishChange, requireNoErasure } from "../change.ts";
import { replaceCreative } from "../creative.ts";
import type { DecisionPorts } from "../decisions.ts";
import { auditedCreative, presentAd, presentRevision } from "../present.ts";
import { lockAd } from "../queries.ts";
import { findRevision, listRevisions, noteRevision, type RevisionRow, takeRevision } from "./queries.ts";

/** Revisions and the publisher's decisions on them. The second of two racing decisions finds no revision: 409. */
export const revisionRoutes = (ports: DecisionPorts) => ({
  list: forMembers(api.revisions.list, ({ input, context: { db, access, reply } }) =>
    inPageTurn(db, access.workspaceId, reply.raw, async () => {
      const { envelope, rows } = await listRevisions(db, access.workspaceId, input);
      const fieldIds = await listFieldIds(db, access.workspaceId);
      return { ...envelope, items: rows.map((row) => presentRevision(row, fieldIds)) };
    }),
  ),

  get: forMembers(api.revisions.get, async ({ input, context: { db, access } }) => {
    const revision = await findRevision(db, access.workspaceId, input.adId);
    if (revision === undefined) throw notFound("Revision");
    return presentRevision(revision, await listFieldIds(db, access.workspaceId));
  }),

  approve: forMembers(api.revisions.approve, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId, actor } = access;
    const shown = await findRevision(db, workspaceId, input.adId);
    if (shown !== undefined) await requireSeen(db, reply, shown, input.version);
    const images = await inspectImages({ ...ports, db }, workspaceId, shown?.meta);
    return await db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, workspaceId, input.adId);
      await requireNoErasure(trx, workspaceId);
      const revision = orDecided(await takeRevision(trx, workspaceId, ad.id));
      await requireSeen(trx, reply, revision, input.version);
      await requireSoundImages(trx, ports, workspaceId, revision, images);
      const reviewed = { reviewed_at: new Date(ports.now()), rejection_note: null };
      const rules = await listFieldRules(trx, workspaceId);
      await withinApprovedBytes(trx, workspaceId, "ad", () =>
        replaceCreative(trx, ad, revision, rules, reviewed),
      );
      const moment = ports.payments.moment(ports.now());
      const effect = effectOfApproval(ad, moment.atProcessor);
      await mailDecision(trx, ports, { ...ad, name: revision.name }, "revision-approved", null, { effect });
      return await finishChange(trx, actor, "revision.approve", ad, moment);
    });
  }),

  requestChanges: forMembers(api.revisions.requestChanges, async ({ input, context }) => {
    const { db, access, reply } = context;
    return await db.transaction().execute(async (trx) => {
      const { workspaceId, actor } = access;
      const ad = await lockAd(trx, workspaceId, input.adId);
      const revision = orDecided(await findRevision(trx, workspaceId, ad.id));
      await requireSeen(trx, reply, revision, input.version);
      const noted = await noteRevision(trx, workspaceId, ad.id, input.note);
      await recordChange(trx, actor, {
        workspaceId,
        action: "revision.request-changes",
        resourceId: ad.id,
        before: { note: revision.note },
        after: { note: noted.note },
      });
      const effect = effectOfApproval(ad, ports.payments.moment(ports.now()).atProcessor);
      await mailDecision(trx, ports, ad, "revision-changes-requested", input.note, { effect });
      return presentRevision(noted, await listFieldIds(trx, workspaceId));
    });
  }),

  reject: forMembers(api.revisions.reject, async ({ input, context: { db, access, reply } }) => {
    return await db.transaction().execute(async (trx) => {
      const { workspaceId, actor } = access;
      const ad = await lockAd(trx, workspaceId, input.adId);
      const revision = orDecided(await takeRevision(trx, workspaceId, ad.id));
      await requireSeen(trx, reply, revision, input.version);
      // The ad stays approved and unchanged, so the note is kept in the audit log and the email only.
      await recordChange(trx, actor, {
        workspaceId,
        action: "revision.reject",
        resourceId: ad.id,
        before: { ...auditedCreative(revision), note: revision.note },
        after: { rejectionNote: input.note },
      });
      const effect = effectOfApproval(ad, ports.payments.moment(ports.now()).atProcessor);
      await mailDecision(trx, ports, ad, "revision-rejected", input.note, { effect });
      return presentAd(ad, await listFieldIds(trx, workspaceId));
    });
  }),
});

/** Throws 412 or 409 if the request names another state, or another submission, of the revision. */
async function requireSeen(
  db: Kysely<Tables>,
  { request }: FastifyReply,
  revision: RevisionRow,
  version: number | undefined,
): Promise<void> {
  await requireMatch(request, async () =>
    presentRevision(revision, await listFieldIds(db, revision.workspace_id)),
  );
  requireVersion(version, revision.version);
}

/** Throws 409 if there is no open revision of an ad that exists: somebody has decided already. */
function orDecided(revision: RevisionRow | undefined): RevisionRow {
  if (revision === undefined)
    throw conflict("NO_OPEN_REVISION", { formErrors: ["No edit of this ad is waiting for a decision."] });
  return revision;
}
