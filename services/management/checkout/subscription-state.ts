import type { Selectable } from "kysely";
import type { SubscriptionsTable } from "#libs/database/tables.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";

/** What the processor decides of a subscription, as columns of ours. */
export function stateColumns(provider: ProviderSubscription) {
  return {
    status: provider.status,
    cancel_at_period_end: provider.cancelAtPeriodEnd,
    cancel_at: asDate(provider.cancelAt),
    canceled_at: asDate(provider.canceledAt),
    cancellation_reason: provider.cancellationReason,
    cancellation_feedback: provider.cancellationFeedback,
    cancellation_comment: provider.cancellationComment,
    current_period_start: asDate(provider.currentPeriodStart),
    current_period_end: asDate(provider.currentPeriodEnd),
    trial_end: asDate(provider.trialEnd),
    paid_amount: provider.paidAmount,
  };
}

type State = Pick<Selectable<SubscriptionsTable>, keyof ReturnType<typeof stateColumns>>;

/** The same in the API's words, for the audit log and to tell whether anything has changed. */
export function auditedState(state: State) {
  return {
    status: state.status,
    cancelAtPeriodEnd: state.cancel_at_period_end,
    cancelAt: asTimestamp(state.cancel_at),
    canceledAt: asTimestamp(state.canceled_at),
    cancellationReason: state.cancellation_reason,
    cancellationFeedback: state.cancellation_feedback,
    cancellationComment: state.cancellation_comment,
    currentPeriodStart: asTimestamp(state.current_period_start),
    currentPeriodEnd: asTimestamp(state.current_period_end),
    trialEnd: asTimestamp(state.trial_end),
    paidAmount: state.paid_amount,
  };
}

function asDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

function asTimestamp(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
