export const SUBSCRIPTION_STATUSES = [
  "Trialing",
  "Active",
  "PastDue",
  "Canceled",
  "Unpaid",
  "Incomplete",
  "IncompleteExpired",
  "Paused",
] as const;

/** The billing status, one to one with the processor's; a paused collection is `Paused`. */
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * What a publisher looks for among subscriptions: `PastDue` is unpaid after a failed payment, `Canceling` is to end but still
 * runs, `NeverRan` has ended and leaves a refund to decide: it was paid, and its ad was never on the air and is not rejected.
 */
export const SUBSCRIPTION_FILTERS = ["PastDue", "Paused", "Canceling", "NeverRan"] as const;
export type SubscriptionFilter = (typeof SUBSCRIPTION_FILTERS)[number];

/** A subscription in one of these is over for good. */
export const ENDED_STATUSES = ["Canceled", "IncompleteExpired"] as const satisfies SubscriptionStatus[];
/** A payment has failed and is still owed. */
export const OVERDUE_STATUSES = ["PastDue", "Unpaid"] as const satisfies SubscriptionStatus[];

export function hasEnded(status: SubscriptionStatus): boolean {
  return ENDED_STATUSES.some((ended) => ended === status);
}

/** Whether a payment has failed and is still owed. */
export function isOverdue(status: SubscriptionStatus): boolean {
  return OVERDUE_STATUSES.some((overdue) => overdue === status);
}

/** Whether a payment now would help: one is owed, of a subscription that has not ended and is not paused. */
export function isPayable(status: SubscriptionStatus): boolean {
  return isOverdue(status) || status === "Incomplete";
}

export interface Cancellation<Time> {
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: Time | null;
  readonly currentPeriodEnd: Time | null;
}

/** Whether a planned end comes before another period would begin, so that nothing is charged any more. */
export function isLastPeriod({
  cancelAtPeriodEnd,
  cancelAt,
  currentPeriodEnd,
}: Cancellation<number>): boolean {
  const endsEarly = cancelAt !== null && currentPeriodEnd !== null && cancelAt <= currentPeriodEnd;
  return cancelAtPeriodEnd || endsEarly;
}

/** When a subscription that is to be canceled stops being served; null when no cancellation is planned. */
export function plannedEnd<Time>(subscription: Cancellation<Time>): Time | null {
  const { cancelAt, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  return cancelAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null);
}
