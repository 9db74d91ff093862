import { owedInvoice, type ProcessorSubscription } from "#libs/payments/index.ts";

/**
 * A subscription of the processor as columns of ours. A period that ends by `freeUntil` was voided by the release before, which served it:
 * it counts as settled, so that nobody is charged by an upgrade.
 */
export function subscriptionColumns(subscription: ProcessorSubscription, freeUntil: Date | null) {
  const { isPeriodVoid, currentPeriodEnd: end, stop, periodInvoiceId } = subscription;
  const isFree = freeUntil !== null && end !== null && end <= freeUntil.getTime();
  return {
    status: subscription.status,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancel_at: asDate(subscription.cancelAt),
    canceled_at: asDate(subscription.canceledAt),
    ended_at: asDate(subscription.endedAt),
    cancellation_reason: subscription.cancellationReason,
    cancellation_feedback: subscription.cancellationFeedback,
    cancellation_comment: subscription.cancellationComment,
    current_period_start: asDate(subscription.currentPeriodStart),
    current_period_end: asDate(subscription.currentPeriodEnd),
    trial_end: asDate(subscription.trialEnd),
    paid_amount: subscription.paidAmount,
    awaits_approval: subscription.awaitsApproval,
    renewal_failed_at: asDate(subscription.renewalFailedAt),
    stop_reason: stop?.reason ?? null,
    stopped_at: asDate(stop?.at ?? null),
    stop_bill: stop?.bill ?? null,
    is_period_void: isPeriodVoid && !isFree,
    is_collected: subscription.isCollected,
    owed_invoice: stop?.reason === "unpaid" ? periodInvoiceId : owedInvoice(subscription),
  };
}

export type Columns = ReturnType<typeof subscriptionColumns>;

function asDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
