import { type Selectable, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ACCOUNT_DISCONNECTED, ENDED_WHILE_DISCONNECTED, endOfLost } from "#libs/domain/lost-account.ts";
import { ENDED_STATUSES, hasEnded } from "#libs/domain/subscription.ts";
import { isAccountGone, type ProcessorSubscription } from "#libs/payments/index.ts";
import { isLost } from "../connect/account.ts";
import type { Billing } from "../mirror.ts";

type Ports = Pick<Billing, "db" | "payments" | "now">;
type SubscriptionRow = Selectable<Tables["subscriptions"]>;

/**
 * The processor's answer about a subscription. If its account is lost: what was known of it last, ended at once or at the end of the time
 * that is paid. Throws `PaymentsError`.
 */
export async function orLost(
  ports: Ports,
  subscriptionId: string,
  answer: Promise<ProcessorSubscription>,
  ifLost: "ends at once" | "ends with its period",
): Promise<ProcessorSubscription> {
  const { db, payments, now } = ports;
  try {
    return await answer;
  } catch (error) {
    if (!isAccountGone(error)) throw error;
    const row = await db
      .selectFrom("subscriptions")
      .where("provider_subscription_id", "=", subscriptionId)
      .selectAll()
      .executeTakeFirst();
    if (row === undefined || !(await isLost(ports, row.provider_account, error))) throw error;
    const known = knownLast(row);
    const cancellationReason = ifLost === "ends at once" ? ENDED_WHILE_DISCONNECTED : ACCOUNT_DISCONNECTED;
    if (hasEnded(row.status)) {
      return known.cancellationReason === ACCOUNT_DISCONNECTED ? { ...known, cancellationReason } : known;
    }
    const { atProcessor } = payments.moment(now());
    const end =
      ifLost === "ends at once"
        ? atProcessor
        : endOfLost({ ...known, isStopped: row.stop_reason !== null }, atProcessor);
    const why = { canceledAt: known.canceledAt ?? atProcessor, cancellationReason };
    if (end <= atProcessor) return { ...known, ...why, status: "Canceled", endedAt: end };
    return { ...known, ...why, cancelAtPeriodEnd: end === known.currentPeriodEnd, cancelAt: end };
  }
}

/** Has subscriptions that ended here with their account end there as well if it comes back. */
export async function stayEnded(
  trx: Transaction<Tables>,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ cancellation_reason: ENDED_WHILE_DISCONNECTED })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", sql<string>`any(${subscriptionIds}::text[])`)
    .where("cancellation_reason", "=", ACCOUNT_DISCONNECTED)
    .execute();
}

/**
 * Ends a live subscription at the processor that the publisher had ended while its account was lost, and has its invoices settled then.
 * Answers with its state. Throws `PaymentsError`.
 */
export async function endIfEndedMeanwhile(
  { db, payments }: Ports,
  current: ProcessorSubscription,
): Promise<ProcessorSubscription> {
  if (hasEnded(current.status)) return current;
  const ended = await db
    .updateTable("subscriptions")
    .set({ cleared_at: null })
    .where("provider_subscription_id", "=", current.id)
    .where("status", "in", ENDED_STATUSES)
    .where("cancellation_reason", "=", ENDED_WHILE_DISCONNECTED)
    .returning(["id", "provider_account"])
    .executeTakeFirst();
  if (ended === undefined) return current;
  const idempotencyKey = `lost:${ended.id}`;
  return await payments.cancelSubscription(current.id, {
    account: ended.provider_account,
    atPeriodEnd: false,
    idempotencyKey,
  });
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
    isPeriodMoved: false,
    isPeriodVoid: row.is_period_void,
    owed: owed === null || stop !== null ? null : { invoiceId: owed, failedAt: renewalFailedAt ?? 0 },
    renewalFailedAt,
    stop,
    processorPriceId: "",
    metadata: {},
  };
}
