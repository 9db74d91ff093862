import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import { isId } from "#libs/domain/ids.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { notFound, tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { api, forMembers } from "../api/api.ts";
import { recordChange } from "../audit/record.ts";
import { mailLinkAgain } from "../billing/letters/purchases.ts";
import type { Billing } from "../billing/mirror.ts";
import { orLost } from "../billing/subscriptions/lost-account.ts";
import { updateServing } from "../billing/subscriptions/subscription.ts";
import { mailCancellation } from "../mail/to-advertiser.ts";
import { refuseFor } from "./change.ts";
import { changeAtProcessor } from "./change-at-processor.ts";
import { intendRefund, recordRefunds, refundOrOwe } from "./due-refunds.ts";
import { presentPurchase } from "./present.ts";
import { PURCHASE_COLUMNS } from "./queries.ts";
import type { RejectionRefund } from "./rejection-refund.ts";

/** Reminders of one purchase that a publisher can send: nobody's mailbox is for pressing. */
const REMINDERS: RateRule = { name: "remind", points: 3, durationSeconds: 24 * 60 * 60 };

const ENDED: Refusal = { reason: "SUBSCRIPTION_ENDED", sentence: "This subscription has ended." };
const HAS_AD: Refusal = { reason: "AD_SUBMITTED", sentence: "The ad has been submitted." };
const NO_LINK: Refusal = {
  reason: "NO_LINK_TO_SEND",
  sentence:
    "There's no email address to send the link to. Cancel the subscription, or contact the advertiser yourself.",
};

/** What a publisher does with a purchase, with an ad or without. */
export const subscriptionChangeRoutes = (ports: Omit<Billing, "db">) => ({
  remind: forMembers(
    api.subscriptions.remind,
    async ({ input: { subscriptionId }, context: { db, access } }) => {
      const { workspaceId, actor } = access;
      await db.transaction().execute(async (trx) => {
        const sold = await lockPurchase(trx, workspaceId, subscriptionId);
        refuseFor(hasEnded(sold.subscription_status) ? ENDED : sold.ad_id === null ? null : HAS_AD);
        const { allowed, resetMs } = await ports.limits.consume(REMINDERS, subscriptionId);
        if (!allowed) throw tooManyRequests(resetMs);
        refuseFor((await mailLinkAgain(trx, ports, workspaceId, subscriptionId)) ? null : NO_LINK);
        await recordChange(trx, actor, {
          workspaceId,
          action: "subscription.remind",
          resourceId: subscriptionId,
        });
      });
      return { success: true };
    },
  ),

  cancel: forMembers(api.subscriptions.cancel, async ({ input, context: { db, access } }) => {
    const { workspaceId, actor } = access;
    const { subscriptionId, note = null } = input;
    const billing = { ...ports, db };
    let refunded: RejectionRefund | "due" | null = null;
    return await changeAtProcessor(db, ports, {
      action: "subscription.cancel",
      lock: async (trx) => await lockPurchase(trx, workspaceId, subscriptionId),
      require: ({ subscription_status: status }) => refuseFor(hasEnded(status) ? ENDED : null),
      intend: (trx, sold) => intendRefund(trx, sold, input.refund, new Date(ports.now())),
      ask: async (sold) => {
        const { provider_subscription_id: processorId, provider_account: account } = sold;
        const ending = ports.payments.cancelSubscription(processorId, {
          account,
          atPeriodEnd: false,
          ...(note === null ? {} : { comment: note }),
          idempotencyKey: `cancel:${subscriptionId}`,
        });
        const ended = await orLost(billing, processorId, ending, "ends at once");
        const sale = { ...sold, id: sold.ad_id ?? subscriptionId };
        refunded = await refundOrOwe(billing, sale, ended, input.refund);
        return ended;
      },
      finish: async (trx, before) => {
        const moment = ports.payments.moment(ports.now());
        const news = await recordRefunds(trx, actor, before, { refunded, wanted: input.refund }, ports.now());
        await updateServing(trx, { id: subscriptionId, workspace_id: workspaceId }, moment);
        const after = await lockPurchase(trx, workspaceId, subscriptionId);
        await mailCancellation(trx, ports, before, note, news);
        await recordChange(trx, actor, {
          workspaceId,
          action: "subscription.cancel",
          resourceId: subscriptionId,
          before: { status: before.subscription_status },
          after: { status: after.subscription_status },
        });
        return presentPurchase(after);
      },
    });
  }),
});

/** Locks a subscription of the workspace until the transaction ends; throws 404 if it has none. Its ad is locked after it. */
async function lockPurchase(trx: Transaction<Tables>, workspaceId: string, subscriptionId: string) {
  if (!isId("subscription", subscriptionId)) throw notFound("Subscription");
  const row = await trx
    .selectFrom("subscriptions")
    .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("subscriptions.id", "=", subscriptionId)
    .select([
      "subscriptions.workspace_id",
      "subscriptions.provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.free_until",
      "subscriptions.sync_version",
      "ads.id as ad_id",
      "ads.serving_since",
      ...PURCHASE_COLUMNS,
    ])
    .forUpdate("subscriptions")
    .executeTakeFirst();
  if (row === undefined) throw notFound("Subscription");
  return row;
}
