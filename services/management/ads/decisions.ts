import { isEligible, reasonsNotServed } from "#libs/domain/eligibility.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { api, forMembers } from "../api/api.ts";
import { readSeenVersion } from "../api/preconditions.ts";
import { auditRefund } from "../billing/ledger/refund.ts";
import type { Billing } from "../billing/mirror.ts";
import { queueCharging } from "../billing/subscriptions/charging-queries.ts";
import type { ApprovalEffect } from "../mail/advertiser-letters.ts";
import { mailDecision } from "../mail/to-advertiser.ts";
import { inspectImages, requireSoundImages } from "../media/uploads/inspection.ts";
import { servingFacts } from "../snapshots/publish.ts";
import { finishChange, refuseFor } from "./change.ts";
import { changeAdAtProcessor } from "./change-at-processor.ts";
import { type AdRow, findAd, lockAd, recordReview } from "./queries.ts";
import { type RejectionRefund, refundRejected } from "./rejection-refund.ts";
import { takeRevision } from "./revisions/queries.ts";

export interface DecisionPorts extends Omit<Billing, "db"> {
  readonly uploads: Uploads;
}

const NOT_SERVING: Refusal = {
  reason: "AD_NOT_SERVING",
  sentence: "Only an ad that is serving can be paused.",
};
const NOT_PAUSED: Refusal = { reason: "AD_NOT_PAUSED", sentence: "Only a paused ad can be resumed." };

/** The publisher's decisions on an ad: review, pause and resume. */
export const decisionRoutes = (ports: DecisionPorts) => ({
  approve: forMembers(api.ads.approve, async ({ input, context: { db, access, reply } }) => {
    const seen = readSeenVersion(reply.request, input.version);
    const shown = await findAd(db, access.workspaceId, input.adId);
    const submitted = shown?.status === "Pending" ? shown.meta : undefined;
    const images = await inspectImages(db, ports.uploads, access.workspaceId, submitted);
    return await db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, access.workspaceId, input.adId);
      refuseFor(reviewRefusal("approve", ad.status));
      seen.require(ad.version);
      await requireSoundImages(trx, ports, ad.workspace_id, ad, images);
      const moment = ports.payments.moment(ports.now());
      const reviewed_at = new Date(moment.now);
      await recordReview(trx, ad, { status: "Approved", reviewed_at, rejection_note: null });
      const effect = effectOfApproval(ad, moment.atProcessor);
      await mailDecision(trx, ports, ad, "ad-approved", null, { effect });
      await queueCharging(trx, ad.subscription_id, moment.atProcessor);
      return await finishChange(trx, access.actor, "ad.approve", ad, moment);
    });
  }),

  requestChanges: forMembers(api.ads.requestChanges, async ({ input, context: { db, access, reply } }) => {
    const seen = readSeenVersion(reply.request, input.version);
    return await db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, access.workspaceId, input.adId);
      refuseFor(reviewRefusal("request-changes", ad.status));
      seen.require(ad.version);
      await recordReview(trx, ad, { status: "Pending", reviewed_at: null, rejection_note: input.note });
      await mailDecision(trx, ports, ad, "ad-changes-requested", input.note);
      const moment = ports.payments.moment(ports.now());
      return await finishChange(trx, access.actor, "ad.request-changes", ad, moment);
    });
  }),

  reject: forMembers(api.ads.reject, async ({ input, context: { db, access, reply } }) => {
    const { adId, note } = input;
    const seen = readSeenVersion(reply.request, input.version);
    const billing = { ...ports, db };
    let refunded: RejectionRefund | null = null;
    return await changeAdAtProcessor(db, ports, {
      ...access,
      adId,
      action: "ad.reject",
      require: (ad) => {
        refuseFor(reviewRefusal("reject", ad.status));
        seen.require(ad.version);
      },
      ask: async (ad) => {
        const hadEnded = hasEnded(ad.subscription_status);
        try {
          const ended = await (hadEnded ? readSubscription(ports, ad) : cancelSubscription(ports, ad, note));
          refunded = await refundRejected(billing, ad, ended, input.refund);
          return ended;
        } catch (error) {
          // An account that is gone must not keep an ad from being rejected.
          const isGone = error instanceof PaymentsError && !error.canRetry;
          if (hadEnded && !input.refund && isGone) return null;
          throw error;
        }
      },
      record: async (trx, ad) => {
        await takeRevision(trx, ad.workspace_id, ad.id);
        const reviewed_at = new Date(ports.now());
        await recordReview(trx, ad, { status: "Rejected", reviewed_at, rejection_note: note });
        for (const refundId of refunded?.refundIds ?? []) {
          await auditRefund(trx, access.actor, { ...access, refundId }, ports.now());
        }
        await mailDecision(trx, ports, ad, "ad-rejected", note, { refunded });
      },
    });
  }),

  pause: forMembers(api.ads.pause, async ({ input, context: { db, access } }) =>
    changeAdAtProcessor(db, ports, {
      ...access,
      adId: input.adId,
      action: "ad.pause",
      require: (ad) => {
        const { atProcessor } = ports.payments.moment(ports.now());
        refuseFor(isEligible(servingFacts(ad), atProcessor) ? null : NOT_SERVING);
      },
      ask: (ad) => ports.payments.pauseSubscription(ad.provider_subscription_id, newIntent(ad)),
    }),
  ),

  resume: forMembers(api.ads.resume, async ({ input, context: { db, access } }) =>
    changeAdAtProcessor(db, ports, {
      ...access,
      adId: input.adId,
      action: "ad.resume",
      require: (ad) => refuseFor(ad.subscription_status === "Paused" ? null : NOT_PAUSED),
      ask: (ad) => ports.payments.resumeSubscription(ad.provider_subscription_id, newIntent(ad)),
    }),
  ),
});

function effectOfApproval(ad: AdRow, now: ProcessorTime): ApprovalEffect {
  const reasons = reasonsNotServed(servingFacts({ ...ad, status: "Approved" }), now);
  if (reasons.length === 0) return "live";
  return reasons.every(({ code }) => code === "SUBSCRIPTION_NOT_CHARGED") ? "first payment" : "off";
}

function cancelSubscription({ payments }: DecisionPorts, ad: AdRow, note: string) {
  return payments.cancelSubscription(ad.provider_subscription_id, {
    account: ad.provider_account,
    atPeriodEnd: false,
    comment: note,
    idempotencyKey: `reject:${ad.id}`,
  });
}

function readSubscription({ payments }: DecisionPorts, ad: AdRow) {
  return payments.readSubscription(ad.provider_subscription_id, ad.provider_account);
}

/**
 * A new idempotency key for each call: pausing twice does no harm, but the stored answer to an earlier pause would hide that
 * somebody has resumed the subscription at the processor since.
 */
function newIntent({ provider_account: account }: AdRow) {
  return { account, idempotencyKey: crypto.randomUUID() };
}
