import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { callForEach } from "../billing/checkout/at-processor.ts";
import type { Billing } from "../billing/mirror.ts";
import { syncSubscription } from "../billing/subscriptions/subscription.ts";
import { mailDecision } from "../mail/to-advertiser.ts";

const PAGE = 50;
const CLOSED = "The publisher has closed this workspace.";

/**
 * Cancels every live subscription of a workspace at the payment processor, at once, and emails the advertisers whose ads
 * they paid for. Throws as `callForEach` does; a repetition continues where it stopped.
 */
export async function cancelSubscriptions(billing: Billing, workspaceId: string): Promise<void> {
  const { db, payments, logger } = billing;
  await callForEach({
    pageAfter: async (after) =>
      await db
        .selectFrom("subscriptions")
        .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
        .where("subscriptions.workspace_id", "=", workspaceId)
        .where("subscriptions.status", "not in", ENDED_STATUSES)
        .where("subscriptions.id", ">", after)
        .select([
          "subscriptions.id",
          "subscriptions.workspace_id",
          "subscriptions.provider_subscription_id",
          "subscriptions.provider_account",
          "ads.name",
        ])
        .orderBy("subscriptions.id")
        .limit(PAGE)
        .execute(),
    call: async ({
      id,
      workspace_id,
      provider_subscription_id: processorId,
      provider_account: account,
      name,
    }) => {
      await payments.cancelSubscription(processorId, {
        account,
        atPeriodEnd: false,
        comment: CLOSED,
        idempotencyKey: `erase:${id}`,
      });
      await syncSubscription(billing, processorId, account);
      // Without a name no ad was submitted.
      if (name === null) return;
      const ad = { workspace_id, subscription_id: id, name };
      await db.transaction().execute((trx) => mailDecision(trx, billing, ad, "ad-rejected", CLOSED));
    },
    onUnknown: ({ id }) =>
      logger.warn(
        { subscription: id },
        "the payment processor does not know a subscription of a workspace that is being deleted",
      ),
  });
}
