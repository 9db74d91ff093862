import type { SubscriptionStatus } from "#libs/domain/subscription.ts";

/** What of a subscription's state there can be news of; times are milliseconds since the epoch. */
export interface BillingState {
  readonly status: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
}

export type BillingNews =
  | { readonly kind: "payment failed" }
  /** `endsAt` is null where it has ended. */
  | { readonly kind: "canceled"; readonly endsAt: Date | null };

const OVERDUE: ReadonlySet<SubscriptionStatus> = new Set(["PastDue", "Unpaid"]);
/** What nothing can be made of any more. */
export const ENDED: ReadonlySet<SubscriptionStatus> = new Set(["Canceled", "IncompleteExpired"]);

/**
 * What people have to hear of when a subscription goes from one state to another; null for nothing. A cancellation is
 * news once: when it is planned, or when it comes unplanned. A payment fails once until it is made.
 */
export function billingNews(before: BillingState, after: BillingState): BillingNews | null {
  if (ENDED.has(before.status)) return null;
  if (after.status === "Canceled") {
    return plannedEnd(before) === null ? { kind: "canceled", endsAt: null } : null;
  }
  if (OVERDUE.has(after.status) && !OVERDUE.has(before.status)) return { kind: "payment failed" };
  const end = plannedEnd(after);
  return end === null || plannedEnd(before) !== null ? null : { kind: "canceled", endsAt: new Date(end) };
}

function plannedEnd({ cancelAt, cancelAtPeriodEnd, currentPeriodEnd }: BillingState): number | null {
  return cancelAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null);
}
