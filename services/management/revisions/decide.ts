import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import { changeAd } from "../ads/change.ts";
import { replaceCreative } from "../ads/creative.ts";
import { auditedCreative } from "../ads/facts.ts";
import { presentAd } from "../ads/present.ts";
import { type AdRow, lockAd } from "../ads/queries.ts";
import { api, forMembers } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { listFieldIds, listFieldRules } from "../fields/queries.ts";
import { tellOfDecision } from "../mails/tell-of-decision.ts";
import type { Services } from "../services.ts";
import { inspectImages, requireSoundImages } from "../uploads/inspection.ts";
import { presentRevision } from "./present.ts";
import { findRevision, noteRevision, type RevisionRow, takeRevision } from "./queries.ts";

/** The publisher's decisions on an open revision. Of two that race, the second finds none and is answered 404. */
export const decisionRoutes = {
  approve: forMembers(api.revisions.approve, async ({ input, context }) => {
    const { services, access } = context;
    const shown = await findRevision(services.db, access.workspaceId, input.adId);
    const images = await inspectImages(services, access.workspaceId, shown?.meta);
    return await changeAd(
      services,
      access.actor,
      { action: "revision.approve", workspaceId: access.workspaceId, adId: input.adId },
      () => null,
      async (trx, ad) => {
        const revision = await takeRevision(trx, ad.workspace_id, ad.id);
        if (revision === undefined) throw notFound("Revision");
        await requireSoundImages(trx, services, ad.workspace_id, revision, images);
        const rules = await listFieldRules(trx, ad.workspace_id);
        const reviewed = { reviewed_at: new Date(services.now()), rejection_note: null };
        await replaceCreative(trx, ad, revision, rules, reviewed);
        await tellOfDecision(trx, services, { ...ad, name: revision.name }, "revision-approved", null);
      },
    );
  }),

  requestChanges: forMembers(api.revisions.requestChanges, async ({ input, context: { services, access } }) =>
    withRevision(services, access.workspaceId, input.adId, async (trx, ad, revision) => {
      const noted = await noteRevision(trx, ad.workspace_id, ad.id, input.note);
      await recordChange(trx, access.actor, {
        workspaceId: ad.workspace_id,
        action: "revision.request-changes",
        resourceId: ad.id,
        before: { note: revision.note },
        after: { note: noted.note },
      });
      await tellOfDecision(trx, services, ad, "revision-changes-requested", input.note);
      return presentRevision(noted, await listFieldIds(trx, ad.workspace_id));
    }),
  ),

  reject: forMembers(api.revisions.reject, async ({ input, context: { services, access } }) =>
    withRevision(services, access.workspaceId, input.adId, async (trx, ad, revision) => {
      await takeRevision(trx, ad.workspace_id, ad.id);
      // The note has no place on the ad, which is approved and stays as it is: the mail and the log have it.
      await recordChange(trx, access.actor, {
        workspaceId: ad.workspace_id,
        action: "revision.reject",
        resourceId: ad.id,
        before: { ...auditedCreative(revision), note: revision.note },
        after: { rejectionNote: input.note },
      });
      await tellOfDecision(trx, services, ad, "revision-rejected", input.note);
      return presentAd(ad, await listFieldIds(trx, ad.workspace_id));
    }),
  ),
};

/** Runs `decide` with the ad and its open revision, both locked by the ad's lock. 404 where either is missing. */
async function withRevision<T>(
  services: Services,
  workspaceId: string,
  adId: string,
  decide: (trx: Transaction<Tables>, ad: AdRow, revision: RevisionRow) => Promise<T>,
): Promise<T> {
  return await services.db.transaction().execute(async (trx) => {
    const ad = await lockAd(trx, workspaceId, adId);
    if (ad === undefined) throw notFound("Ad");
    const revision = await findRevision(trx, workspaceId, adId);
    if (revision === undefined) throw notFound("Revision");
    return await decide(trx, ad, revision);
  });
}
