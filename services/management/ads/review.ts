import { reviewRefusal } from "#libs/domain/review.ts";
import { actorOf, api } from "../api.ts";
import { recordSubscription } from "../checkout/subscriptions.ts";
import { takeRevision } from "../revisions/queries.ts";
import { changeAd } from "./change.ts";
import { recordReview } from "./queries.ts";
import { tellAdvertiser } from "./tell-advertiser.ts";

/** The publisher's decisions on an ad. */
export const reviewRoutes = {
  approve: api.ads.approve.handler(async ({ input, context }) =>
    changeAd(
      context.services,
      actorOf(context),
      { action: "ad.approve", ...input },
      (ad) => reviewRefusal("approve", ad.status),
      (trx, ad) =>
        recordReview(trx, ad, {
          status: "Approved",
          reviewedAt: new Date(context.services.now()),
          rejectionNote: null,
        }),
    ),
  ),

  reject: api.ads.reject.handler(async ({ input, context }) => {
    const { services } = context;
    return await changeAd(
      services,
      actorOf(context),
      { action: "ad.reject", ...input },
      (ad) => reviewRefusal("reject", ad.status),
      async (trx, ad) => {
        // The processor first: when it fails, nothing has changed here.
        if (ad.subscription_status !== "Canceled" && ad.subscription_status !== "IncompleteExpired") {
          const canceled = await services.payments.cancelSubscription(ad.provider_subscription_id, {
            account: null,
            atPeriodEnd: false,
            comment: input.note,
            idempotencyKey: `reject:${ad.id}`,
          });
          await recordSubscription(trx, ad.subscription_id, canceled);
        }
        await takeRevision(trx, ad.workspace_id, ad.id);
        await recordReview(trx, ad, {
          status: "Rejected",
          reviewedAt: new Date(services.now()),
          rejectionNote: input.note,
        });
        await tellAdvertiser(trx, services.publicUrl, ad, "ad-rejected", input.note);
      },
    );
  }),

  requestChanges: api.ads.requestChanges.handler(async ({ input, context }) =>
    changeAd(
      context.services,
      actorOf(context),
      { action: "ad.request-changes", ...input },
      (ad) => reviewRefusal("request-changes", ad.status),
      async (trx, ad) => {
        await recordReview(trx, ad, { status: "Pending", reviewedAt: null, rejectionNote: input.note });
        await tellAdvertiser(trx, context.services.publicUrl, ad, "ad-changes-requested", input.note);
      },
    ),
  ),
};
