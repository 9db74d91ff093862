import { onePage } from "#libs/contract/query.ts";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../../api/api.ts";
import { recordChange } from "../../audit/record.ts";
import { enforceCorrectionQuota } from "../../store/quotas.ts";
import { requireAd } from "../queries.ts";
import {
  type CorrectionRow,
  deleteCorrection,
  insertCorrection,
  listCorrections,
  lockCorrection,
  setStatus,
} from "./queries.ts";

export const correctionRoutes = {
  list: forMembers(api.corrections.list, async ({ input: { adId }, context: { db, access } }) => {
    const [rows] = await Promise.all([
      listCorrections(db, access.workspaceId, adId),
      requireAd(db, access.workspaceId, adId),
    ]);
    return onePage(rows.map(presentCorrection));
  }),

  create: forMembers(api.corrections.create, ({ input, context: { db, access } }) =>
    db.transaction().execute(async (trx) => {
      const { workspaceId, actor } = access;
      await requireAd(trx, workspaceId, input.adId);
      await enforceCorrectionQuota(trx, workspaceId);
      const row = await insertCorrection(trx, workspaceId, input, input.reason);
      await recordChange(trx, actor, {
        workspaceId,
        action: "correction.apply",
        resourceId: row.ad_id,
        after: auditedCorrection(row),
      });
      return presentCorrection(row);
    }),
  ),

  apply: forMembers(api.corrections.apply, ({ input, context: { db, access } }) =>
    db.transaction().execute(async (trx) => {
      const { workspaceId, actor } = access;
      const row = await lockCorrection(trx, workspaceId, input.adId, input.correctionId);
      if (row === undefined) throw notFound("Correction");
      if (row.status === "Applied") return presentCorrection(row);
      await enforceCorrectionQuota(trx, workspaceId);
      await setStatus(trx, row, "Applied");
      await recordChange(trx, actor, {
        workspaceId,
        action: "correction.apply",
        resourceId: row.ad_id,
        after: auditedCorrection(row),
      });
      return presentCorrection({ ...row, status: "Applied" });
    }),
  ),

  revoke: forMembers(api.corrections.revoke, ({ input, context: { db, access } }) =>
    db.transaction().execute(async (trx) => {
      const { workspaceId, actor } = access;
      const row = await lockCorrection(trx, workspaceId, input.adId, input.correctionId);
      if (row === undefined) throw notFound("Correction");
      // What was proposed stays, so that it is not proposed again.
      if (row.is_proposal) await setStatus(trx, row, "Dismissed");
      else await deleteCorrection(trx, row);
      if (row.status === "Applied")
        await recordChange(trx, actor, {
          workspaceId,
          action: "correction.revoke",
          resourceId: row.ad_id,
          before: auditedCorrection(row),
        });
      return { success: true };
    }),
  ),
};

function presentCorrection(row: CorrectionRow) {
  return {
    id: row.id,
    ...auditedCorrection(row),
    status: row.status,
    createdAt: row.created_at.toISOString(),
  };
}

function auditedCorrection({ first_day: from, last_day: to, reason }: CorrectionRow) {
  return { from, to, reason };
}
