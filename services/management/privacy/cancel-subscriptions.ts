import { callForEach } from "../checkout/at-processor.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import { tellOfDecision } from "../mails/tell-of-decision.ts";
import type { Services } from "../services.ts";

const PAGE = 50;
const CLOSED = "The publisher has closed this workspace.";

/**
 * Cancels every live subscription of a workspace at the payment processor, at once, and tells the advertisers whose ads
 * they paid for. Throws as `callForEach` does; a repetition continues with what is left.
 */
export async function cancelSubscriptions(services: Services, workspaceId: string): Promise<void> {
  const { db, logger } = services;
  await callForEach({
    pageAfter: async (after) =>
      await db
        .selectFrom("subscriptions")
        .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
        .where("subscriptions.workspace_id", "=", workspaceId)
        .where("subscriptions.status", "not in", ["Canceled", "IncompleteExpired"])
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
    call: (subscription) => cancel(services, subscription),
    onUnknown: ({ id }) =>
      logger.warn(
        { subscription: id },
        "the payment processor does not know a subscription of a workspace that is being deleted",
      ),
  });
}

interface LiveSubscription {
  readonly id: string;
  readonly workspace_id: string;
  readonly provider_subscription_id: string;
  readonly provider_account: string | null;
  /** Of its ad; null before one was submitted. */
  readonly name: string | null;
}

async function cancel(services: Services, subscription: LiveSubscription): Promise<void> {
  const { payments, db } = services;
  const { provider_subscription_id: providerId, provider_account: account, name } = subscription;
  await payments.cancelSubscription(providerId, {
    account,
    atPeriodEnd: false,
    comment: CLOSED,
    idempotencyKey: `erase:${subscription.id}`,
  });
  await syncSubscription(services, providerId, account);
  if (name === null) return;
  await db
    .transaction()
    .execute((trx) =>
      tellOfDecision(
        trx,
        services,
        { workspace_id: subscription.workspace_id, subscription_id: subscription.id, name },
        "ad-rejected",
        CLOSED,
      ),
    );
}
