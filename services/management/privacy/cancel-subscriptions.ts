import { PaymentsError } from "#libs/payments/index.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import { tellOfDecision } from "../mails/tell-of-decision.ts";
import type { Services } from "../services.ts";

const PAGE = 50;
const CLOSED = "The publisher has closed this workspace.";

/**
 * Cancels every live subscription of a workspace at the payment processor, at once, and tells the advertisers whose ads
 * they paid for. One that the processor refuses does not hold up the others. Throws the last such `PaymentsError` once all
 * have been tried, or at once the one after which the processor may be away; a repetition continues with what is left.
 */
export async function cancelSubscriptions(services: Services, workspaceId: string): Promise<void> {
  const { db } = services;
  let after = "";
  let refusal: PaymentsError | null = null;
  for (;;) {
    const page = await db
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
      .execute();
    for (const subscription of page) refusal = (await cancel(services, subscription)) ?? refusal;
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (refusal !== null) throw refusal;
}

interface LiveSubscription {
  readonly id: string;
  readonly workspace_id: string;
  readonly provider_subscription_id: string;
  readonly provider_account: string | null;
  /** Of its ad; null before one was submitted. */
  readonly name: string | null;
}

/** Returns why the processor refuses to cancel it; null if it is canceled, or unknown to the processor. */
async function cancel(services: Services, subscription: LiveSubscription): Promise<PaymentsError | null> {
  const { payments, db, logger } = services;
  const { provider_subscription_id: providerId, provider_account: account, name } = subscription;
  try {
    await payments.cancelSubscription(providerId, {
      account,
      atPeriodEnd: false,
      comment: CLOSED,
      idempotencyKey: `erase:${subscription.id}`,
    });
    await syncSubscription(services, providerId, account);
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.canRetry) throw error;
    if (error.code !== "NOT_FOUND") return error;
    logger.warn(
      { subscription: subscription.id },
      "the payment processor does not know a subscription of a workspace that is being deleted",
    );
    return null;
  }
  if (name === null) return null;
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
  return null;
}
