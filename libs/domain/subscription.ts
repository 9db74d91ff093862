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

/** A subscription in one of these is over for good. */
export const ENDED_STATUSES = ["Canceled", "IncompleteExpired"] as const satisfies SubscriptionStatus[];
const OVERDUE: readonly SubscriptionStatus[] = ["PastDue", "Unpaid"];

export function hasEnded(status: SubscriptionStatus): boolean {
  return ENDED_STATUSES.some((ended) => ended === status);
}

/** Whether a payment has failed and is still owed. */
export function isOverdue(status: SubscriptionStatus): boolean {
  return OVERDUE.includes(status);
}

interface Cancellation<Time> {
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: Time | null;
  readonly currentPeriodEnd: Time | null;
}

/** When a subscription that is to be canceled stops being served; null when no cancellation is planned. */
export function plannedEnd<Time>(subscription: Cancellation<Time>): Time | null {
  const { cancelAt, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  return cancelAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null);
}
