import { ENDS_WITHOUT_ACCOUNT, endsWithoutAccount, isLostSince } from "#libs/domain/lost-account.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { isNotFound, type PaymentsError } from "#libs/payments/index.ts";
import { settleDueRefund } from "../ads/due-refunds.ts";
import { callForEach } from "../billing/checkout/at-processor.ts";
import { isLost } from "../billing/connect/account.ts";
import type { Billing } from "../billing/mirror.ts";
import { clearEnded } from "../billing/subscriptions/clear-ended.ts";
import { syncSubscription } from "../billing/subscriptions/subscription.ts";
import type { Turn } from "../queue/tasks.ts";

const PAGE = 50;
const CLOSED = "The publisher has closed this workspace.";

/**
 * Cancels every subscription of a workspace at the payment processor that lives there, and settles the invoices of ended ones. The
 * advertisers get the email about the end. If the deletion `refunds`, each refund is recorded as due before the cancellation;
 * payments made since the deletion began are always refunded. Returns and throws as `callForEach`; a repetition continues.
 */
export async function cancelSubscriptions(
  billing: Billing,
  workspaceId: string,
  { refunds, from }: { readonly refunds: boolean; readonly from?: Turn | undefined },
): Promise<Turn | null> {
  const { db, payments, logger, now } = billing;
  return await callForEach({
    from,
    pageAfter: async (after) =>
      await db
        .selectFrom("subscriptions")
        .where("workspace_id", "=", workspaceId)
        .where((where) =>
          where.or([
            where("status", "not in", ENDED_STATUSES),
            where("cleared_at", "is", null),
            where("cancellation_reason", "in", ENDS_WITHOUT_ACCOUNT),
          ]),
        )
        .where("id", ">", after)
        .select(["id", "workspace_id", "cancellation_reason", "provider_subscription_id", "provider_account"])
        .orderBy("id")
        .limit(PAGE)
        .execute(),
    call: async (sold) => {
      const { id, provider_subscription_id: processorId, provider_account: account } = sold;
      // An account that was lost may be back, and what had ended without it.
      if (endsWithoutAccount(sold.cancellation_reason)) await syncSubscription(billing, processorId, account);
      // The choice of an earlier cancellation that did not end it no longer counts. If it has ended since it was listed, another
      // process may be working on the same deletion and have made the refund.
      await db
        .updateTable("subscriptions")
        .set({ refund_due_since: refunds ? new Date(now()) : null })
        .where("id", "=", id)
        .where("status", "not in", ENDED_STATUSES)
        .execute();
      const ended = await payments.cancelSubscription(processorId, {
        account,
        atPeriodEnd: false,
        comment: CLOSED,
        idempotencyKey: `erase:${id}`,
      });
      await syncSubscription(billing, processorId, account);
      // Before the rows go that a late payment would be refunded by.
      await clearEnded(billing, sold, ended);
    },
    isUnknown: (sold, error) => isBeyondReach(billing, sold, error),
    onUnknown: ({ id }) =>
      logger.warn(
        { subscription: id },
        "skipped in a deletion: not found at the payment processor, or its account is lost",
      ),
  });
}

/**
 * Makes the refunds that are due in a workspace whose subscriptions have ended, so that no row is removed before its refund is
 * made, or the processor has forgotten its subscription or lost its account. Returns and throws as `callForEach`; a repetition continues.
 */
export async function makeDueRefunds(
  billing: Billing,
  workspaceId: string,
  from: Turn | undefined,
): Promise<Turn | null> {
  return await callForEach({
    from,
    pageAfter: async (after) =>
      await billing.db
        .selectFrom("subscriptions")
        .where("workspace_id", "=", workspaceId)
        .where("refund_due_since", "is not", null)
        .where("id", ">", after)
        .select(["id", "provider_account"])
        .orderBy("id")
        .limit(PAGE)
        .execute(),
    call: async ({ id }) => await settleDueRefund(billing, id),
    isUnknown: (sold, error) => isBeyondReach(billing, sold, error),
    onUnknown: ({ id }) =>
      billing.logger.warn(
        { subscription: id },
        "a refund is not made: not found at the payment processor, or its account is lost",
      ),
  });
}

/**
 * Whether no later attempt can reach a subscription: its account is lost, or the processor has not known it for a day. What is removed here
 * would be charged for ever if the key had only been another account's, or another mode's. Throws `PaymentsError`.
 */
async function isBeyondReach(
  billing: Billing,
  { id, provider_account: account }: { readonly id: string; readonly provider_account: string | null },
  error: PaymentsError,
): Promise<boolean> {
  if (await isLost(billing, account, error)) return true;
  if (!isNotFound(error)) return false;
  const now = billing.payments.moment(billing.now()).atProcessor;
  const { missing_since: since } = await billing.db
    .updateTable("subscriptions")
    .set((row) => ({ missing_since: row.fn.coalesce("missing_since", row.val(new Date(now))) }))
    .where("id", "=", id)
    .returning("missing_since")
    .executeTakeFirstOrThrow();
  return since !== null && isLostSince(since.getTime(), now);
}
