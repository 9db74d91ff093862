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
