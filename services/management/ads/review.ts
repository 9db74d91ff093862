import { reviewRefusal } from "#libs/domain/review.ts";
import { api, forMembers } from "../api.ts";
import { tellOfDecision } from "../mails/tell-of-decision.ts";
import { takeRevision } from "../revisions/queries.ts";
import type { Services } from "../services.ts";
import { inspectImages, requireSoundImages } from "../uploads/inspection.ts";
import { changeAd } from "./change.ts";
import { changeAdAtProcessor } from "./change-at-processor.ts";
import { type AdRow, findAd, recordReview } from "./queries.ts";

/** The publisher's decisions on an ad. */
export const reviewRoutes = {
  approve: forMembers(api.ads.approve, async ({ input, context }) => {
    const { services, access } = context;
    const shown = await findAd(services.db, access.workspaceId, input.adId);
    const meta = shown?.status === "Pending" ? shown.meta : undefined;
    const images = await inspectImages(services, access.workspaceId, meta);
    return await changeAd(
      services,
      access.actor,
      { action: "ad.approve", workspaceId: access.workspaceId, adId: input.adId },
      (ad) => reviewRefusal("approve", ad.status),
      async (trx, ad) => {
        await requireSoundImages(trx, services, ad.workspace_id, ad, images);
        await recordReview(trx, ad, {
          status: "Approved",
          reviewedAt: new Date(services.now()),
          rejectionNote: null,
        });
        await tellOfDecision(trx, services, ad, "ad-approved", null);
      },
    );
  }),

  reject: forMembers(api.ads.reject, async ({ input, context }) => {
    const { services, access } = context;
    return await changeAdAtProcessor(
      services,
      access.actor,
      { action: "ad.reject", workspaceId: access.workspaceId, adId: input.adId },
      {
        refusal: (ad) => reviewRefusal("reject", ad.status),
        ask: (ad) => (hasEnded(ad) ? null : cancelFor(services, ad, input.note)),
        record: async (trx, ad) => {
          await takeRevision(trx, ad.workspace_id, ad.id);
          await recordReview(trx, ad, {
            status: "Rejected",
            reviewedAt: new Date(services.now()),
            rejectionNote: input.note,
          });
          await tellOfDecision(trx, services, ad, "ad-rejected", input.note);
        },
      },
    );
  }),

  requestChanges: forMembers(api.ads.requestChanges, async ({ input, context: { services, access } }) =>
    changeAd(
      services,
      access.actor,
      { action: "ad.request-changes", workspaceId: access.workspaceId, adId: input.adId },
      (ad) => reviewRefusal("request-changes", ad.status),
      async (trx, ad) => {
        await recordReview(trx, ad, { status: "Pending", reviewedAt: null, rejectionNote: input.note });
        await tellOfDecision(trx, services, ad, "ad-changes-requested", input.note);
      },
    ),
  ),
};

function hasEnded({ subscription_status: status }: AdRow): boolean {
  return status === "Canceled" || status === "IncompleteExpired";
}

function cancelFor({ payments }: Services, ad: AdRow, note: string) {
  return payments.cancelSubscription(ad.provider_subscription_id, {
    account: ad.provider_account,
    atPeriodEnd: false,
    comment: note,
    idempotencyKey: `reject:${ad.id}`,
  });
}
