import type { Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ACCOUNT_DISCONNECTED, endOfLost } from "#libs/domain/lost-account.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { isAccountGone, type ProcessorSubscription } from "#libs/payments/index.ts";
import type { Billing } from "../mirror.ts";

type Ports = Pick<Billing, "db" | "payments" | "now">;
type SubscriptionRow = Selectable<Tables["subscriptions"]>;

/**
 * What the processor answers about a subscription of ours. Where its account is gone: the subscription as it was known last, which ends
 * with the time that is paid, or at once if that is `asked`. Throws `PaymentsError`.
 */
export async function orLost(
  { db, payments, now }: Ports,
  subscriptionId: string,
  asking: Promise<ProcessorSubscription>,
  asked: "ends at once" | "ends with its period",
): Promise<ProcessorSubscription> {
  try {
    return await asking;
  } catch (error) {
    if (!isAccountGone(error)) throw error;
    const row = await db
      .selectFrom("subscriptions")
      .where("provider_subscription_id", "=", subscriptionId)
      .selectAll()
      .executeTakeFirst();
    if (row === undefined) throw error;
    const known = knownLast(row);
    if (hasEnded(row.status)) return known;
    const { atProcessor } = payments.moment(now());
    const end =
      asked === "ends at once"
        ? atProcessor
        : endOfLost({ ...known, isStopped: row.stop_reason !== null }, atProcessor);
    const why = { canceledAt: known.canceledAt ?? atProcessor, cancellationReason: ACCOUNT_DISCONNECTED };
    if (end <= atProcessor) return { ...known, ...why, status: "Canceled", endedAt: end };
    return { ...known, ...why, cancelAtPeriodEnd: end === known.currentPeriodEnd, cancelAt: end };
  }
}

/** Our columns in the processor's form; what has no column is empty. */
function knownLast(row: SubscriptionRow): ProcessorSubscription {
  const { stop_reason: reason, stop_bill: bill, owed_invoice: owed } = row;
  const stoppedAt = row.stopped_at?.getTime() ?? 0;
  const stop = reason === null || bill === null ? null : { reason, bill, at: stoppedAt };
  const renewalFailedAt = row.renewal_failed_at?.getTime() ?? null;
  return {
    id: row.provider_subscription_id,
    createdAt: row.created_at.getTime(),
    customerId: "",
    email: null,
    name: null,
    status: row.status,
    isLeftUnpaid: false,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    cancelAt: row.cancel_at?.getTime() ?? null,
    canceledAt: row.canceled_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
    cancellationReason: row.cancellation_reason,
    cancellationFeedback: row.cancellation_feedback,
    cancellationComment: row.cancellation_comment,
    currentPeriodStart: row.current_period_start?.getTime() ?? null,
    currentPeriodEnd: row.current_period_end?.getTime() ?? null,
    trialEnd: row.trial_end?.getTime() ?? null,
    chargeAt: row.charge_at,
    awaitsApproval: row.awaits_approval,
    isCollected: row.is_collected,
    trialDays: null,
    paidAmount: row.paid_amount,
    isTrialPeriod: row.status === "Trialing",
    latestInvoiceId: null,
    periodInvoiceId: owed,
    isPeriodVoid: row.is_period_void,
    owed: owed === null || stop !== null ? null : { invoiceId: owed, failedAt: renewalFailedAt ?? 0 },
    renewalFailedAt,
    stop,
    processorPriceId: "",
    metadata: {},
  };
}
