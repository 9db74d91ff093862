import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { callForEach } from "../billing/checkout/at-processor.ts";
import type { Billing } from "../billing/mirror.ts";
import { syncSubscription } from "../billing/subscriptions/subscription.ts";

const PAGE = 50;
const CLOSED = "The publisher has closed this workspace.";

/**
 * Cancels every live subscription of a workspace at the payment processor, at once. The advertisers get the email about the end
 * of a subscription, with this reason. Throws as `callForEach` does; a repetition continues where it stopped.
 */
export async function cancelSubscriptions(billing: Billing, workspaceId: string): Promise<void> {
  const { db, payments, logger } = billing;
  await callForEach({
    pageAfter: async (after) =>
      await db
        .selectFrom("subscriptions")
        .where("workspace_id", "=", workspaceId)
        .where("status", "not in", ENDED_STATUSES)
        .where("id", ">", after)
        .select(["id", "provider_subscription_id", "provider_account"])
        .orderBy("id")
        .limit(PAGE)
        .execute(),
    call: async ({ id, provider_subscription_id: processorId, provider_account: account }) => {
      await payments.cancelSubscription(processorId, {
        account,
        atPeriodEnd: false,
        comment: CLOSED,
        idempotencyKey: `erase:${id}`,
      });
      await syncSubscription(billing, processorId, account);
    },
    onUnknown: ({ id }) =>
      logger.warn(
        { subscription: id },
        "the payment processor does not know a subscription of a workspace that is being deleted",
      ),
  });
}
