import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isEligible } from "#libs/domain/eligibility.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { api, forMembers } from "../api/api.ts";
import type { Billing } from "../billing/mirror.ts";
import { queueCharging } from "../billing/subscriptions/charging-queries.ts";
import { continuePeriod, pausePeriod } from "../billing/subscriptions/continue-period.ts";
import { orLost } from "../billing/subscriptions/lost-account.ts";
import { mailDecision } from "../mail/to-advertiser.ts";
import { inspectImages, requireSoundImages } from "../media/uploads/inspection.ts";
import { withinApprovedBytes } from "../snapshots/approved-bytes.ts";
import { servingFacts } from "../snapshots/publish.ts";
import { effectOfApproval } from "./approval-effect.ts";
import { finishChange, refuseFor, requireNoErasure, requireSeen } from "./change.ts";
import { changeAdAtProcessor } from "./change-at-processor.ts";
import { intendRefund, recordRefunds, refundOrOwe } from "./due-refunds.ts";
import { type AdRow, findAd, lockAd, recordReview } from "./queries.ts";
import type { RejectionRefund } from "./rejection-refund.ts";
import { takeRevision } from "./revisions/queries.ts";

export interface DecisionPorts extends Omit<Billing, "db"> {
  readonly uploads: Uploads;
}

const NOT_SERVING: Refusal = {
  reason: "AD_NOT_SERVING",
  sentence: "Only an ad that is serving can be paused.",
};
const ENDED: Refusal = { reason: "SUBSCRIPTION_ENDED", sentence: "This subscription has ended." };
const NOT_PAUSED: Refusal = { reason: "AD_NOT_PAUSED", sentence: "Only a paused ad can be resumed." };

/** The publisher's decisions on an ad: review, pause and resume. */
export const decisionRoutes = (ports: DecisionPorts) => ({
  approve: forMembers(api.ads.approve, async ({ input, context: { db, access, reply } }) => {
    const requireOpen = async (at: Kysely<Tables>, ad: AdRow) => {
      refuseFor(reviewRefusal("approve", ad.status));
      await requireSeen(at, reply, ad, input.version);
    };
    const shown = await findAd(db, access.workspaceId, input.adId);
    if (shown !== undefined) await requireOpen(db, shown);
    const images = await inspectImages({ ...ports, db }, access.workspaceId, shown?.meta);
    return await db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, access.workspaceId, input.adId);
      await requireNoErasure(trx, ad.workspace_id);
      await requireOpen(trx, ad);
      await requireSoundImages(trx, ports, ad.workspace_id, ad, images);
      const moment = ports.payments.moment(ports.now());
      const reviewed_at = new Date(moment.now);
      await withinApprovedBytes(trx, ad.workspace_id, "ad", () =>
        recordReview(trx, ad, { status: "Approved", reviewed_at, rejection_note: null }),
      );
      const effect = effectOfApproval(ad, moment.atProcessor);
      await mailDecision(trx, ports, ad, "ad-approved", null, { effect });
      await queueCharging(trx, ad.subscription_id, moment.atProcessor);
      return await finishChange(trx, access.actor, "ad.approve", ad, moment);
    });
  }),

  requestChanges: forMembers(api.ads.requestChanges, async ({ input, context: { db, access, reply } }) => {
    return await db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, access.workspaceId, input.adId);
      await requireNoErasure(trx, ad.workspace_id);
      refuseFor(reviewRefusal("request-changes", ad.status));
      await requireSeen(trx, reply, ad, input.version);
      await recordReview(trx, ad, { status: "Pending", reviewed_at: null, rejection_note: input.note });
      await mailDecision(trx, ports, ad, "ad-changes-requested", input.note);
      const moment = ports.payments.moment(ports.now());
      return await finishChange(trx, access.actor, "ad.request-changes", ad, moment);
    });
  }),

  reject: forMembers(api.ads.reject, async ({ input, context: { db, access, reply } }) => {
    const { adId, note } = input;
    const billing = { ...ports, db };
    let refunded: RejectionRefund | "due" | null = null;
    return await changeAdAtProcessor(db, ports, {
      ...access,
      adId,
      action: "ad.reject",
      require: async (ad, trx) => {
        refuseFor(reviewRefusal("reject", ad.status));
        await requireSeen(trx, reply, ad, input.version);
      },
      intend: (trx, ad) => intendRefund(trx, ad, input.refund, new Date(ports.now())),
      ask: async (ad) => {
        const hadEnded = hasEnded(ad.subscription_status);
        // A subscription that has ended here lives on in an account that was lost and is back.
        const asking = cancelSubscription(ports, ad, note);
        const ending = orLost(billing, ad.provider_subscription_id, asking, "ends at once");
        // What the processor refuses must not keep an ad from being rejected.
        const ended = await (hadEnded && !input.refund ? unlessRefused(ending) : ending);
        if (ended !== null) refunded = await refundOrOwe(billing, ad, ended, input.refund);
        return ended;
      },
      record: async (trx, ad) => {
        await takeRevision(trx, ad.workspace_id, ad.id);
        const reviewed_at = new Date(ports.now());
        await recordReview(trx, ad, { status: "Rejected", reviewed_at, rejection_note: note });
        const news = await recordRefunds(
          trx,
          access.actor,
          ad,
          { refunded, wanted: input.refund },
          ports.now(),
        );
        const hadEnded = hasEnded(ad.subscription_status);
        // A refund that a cancellation has left due is still made.
        const isDue = hadEnded && !input.refund && ad.refund_due_since !== null;
        await mailDecision(trx, ports, ad, "ad-rejected", note, {
          refunded: news ?? (isDue ? "due" : null),
          hadEnded,
        });
      },
    });
  }),

  pause: forMembers(api.ads.pause, async ({ input, context: { db, access, reply } }) =>
    changeAdAtProcessor(db, ports, {
      ...access,
      adId: input.adId,
      action: "ad.pause",
      require: async (ad, trx) => {
        const { atProcessor } = ports.payments.moment(ports.now());
        refuseFor(isEligible(servingFacts(ad), atProcessor) ? null : NOT_SERVING);
        await requireSeen(trx, reply, ad);
      },
      ask: (ad) => {
        const pausing = pausePeriod(ports, soldAt(ad));
        return orLost({ ...ports, db }, ad.provider_subscription_id, pausing, "ends at once");
      },
    }),
  ),

  resume: forMembers(api.ads.resume, async ({ input, context: { db, access, reply } }) =>
    changeAdAtProcessor(db, ports, {
      ...access,
      adId: input.adId,
      action: "ad.resume",
      require: async (ad, trx) => {
        refuseFor(ad.subscription_status === "Paused" ? null : NOT_PAUSED);
        await requireSeen(trx, reply, ad);
      },
      ask: async (ad) => {
        const reading = readSubscription(ports, ad);
        const current = await orLost({ ...ports, db }, ad.provider_subscription_id, reading, "ends at once");
        // We have not learned of its end yet.
        refuseFor(hasEnded(current.status) ? ENDED : null);
        return await continuePeriod(ports, soldAt(ad), current);
      },
    }),
  ),
});

function cancelSubscription({ payments }: DecisionPorts, ad: AdRow, note: string) {
  return payments.cancelSubscription(ad.provider_subscription_id, {
    account: ad.provider_account,
    atPeriodEnd: false,
    comment: note,
    idempotencyKey: `reject:${ad.id}`,
  });
}

/** Null where the processor refuses for good. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PaymentsError && !error.canRetry) return null;
    throw error;
  }
}

function readSubscription({ payments }: DecisionPorts, ad: AdRow) {
  return payments.readSubscription(ad.provider_subscription_id, ad.provider_account);
}

function soldAt({ provider_subscription_id: id, provider_account: account }: AdRow) {
  return { id, account };
}
