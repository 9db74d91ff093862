import type { RecordKind, Records, Subscription } from "./records.ts";

const GOES_ON = ["active", "trialing", "past_due", "unpaid"];
/** How long a first payment may take, in seconds. */
const FIRST_PAYMENT_WITHIN = 23 * 3600;
/** How long an expired session can still be read, in seconds. */
const EXPIRED_KEPT = 30 * 86_400;
/** How long a portal's page can be used, in seconds. */
const PORTAL_KEPT = 3600;
/** How long the set-up of an account can be told that its link is old, in seconds. */
const ONBOARDING_KEPT = 86_400;

type DueRules = { readonly [K in RecordKind]?: (record: Records[K]) => number | null };

const DUE: DueRules = {
  checkout: ({ session }) => {
    if (session.status === "open") return session.expires_at;
    return session.status === "expired" ? session.expires_at + EXPIRED_KEPT : null;
  },
  invoice: ({ status, automatically_finalizes_at: finalizes, next_payment_attempt: retries }) => {
    if (status === "draft") return finalizes;
    return status === "open" ? retries : null;
  },
  onboarding: ({ expiresAt }) => expiresAt + ONBOARDING_KEPT,
  portal: ({ created }) => created + PORTAL_KEPT,
  reminder: ({ at }) => at,
  subscription: (subscription) => {
    if (subscription.status === "incomplete") return subscription.created + FIRST_PAYMENT_WITHIN;
    if (!GOES_ON.includes(subscription.status)) return null;
    return Math.min(periodEndOf(subscription), subscription.pause_collection?.resumes_at ?? Infinity);
  },
};

/** When time itself changes the record next, in seconds; null when it never does. */
export function dueAt<K extends RecordKind>(kind: K, record: Records[K]): number | null {
  return DUE[kind]?.(record) ?? null;
}

/** The end of the period that a subscription is in, in seconds. */
export function periodEndOf(subscription: Subscription): number {
  return subscription.items.data[0]?.current_period_end ?? Infinity;
}
