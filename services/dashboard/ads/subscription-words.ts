import type { ListedAd } from "./ad-shapes.ts";

/** When the period of a subscription ends, and what happens then. */
export interface EndWords {
  /** `Renews`, `Ends`, `Ended`. */
  readonly name: string;
  /** A timestamp. */
  readonly at: string;
  /** The processor's reason of an end, where it has one. */
  readonly why?: string;
}

type Subscription = Pick<
  ListedAd["subscription"],
  | "status"
  | "cancelAtPeriodEnd"
  | "cancelAt"
  | "canceledAt"
  | "cancellationReason"
  | "cancellationFeedback"
  | "currentPeriodEnd"
>;

/** What is known of a subscription's end or next renewal; null where nothing is. */
export function endWords(subscription: Subscription): EndWords | null {
  const { status, cancelAtPeriodEnd, cancelAt, canceledAt, currentPeriodEnd } = subscription;
  const why = reason(subscription);
  if (status === "Canceled" || status === "IncompleteExpired") {
    const at = canceledAt ?? currentPeriodEnd;
    return at === null ? null : { name: "Ended", at, ...why };
  }
  const plannedEnd = cancelAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null);
  if (plannedEnd !== null) return { name: "Ends", at: plannedEnd, ...why };
  if (currentPeriodEnd === null || status === "Incomplete") return null;
  return {
    name: status === "Active" || status === "Trialing" ? "Renews" : "Period ends",
    at: currentPeriodEnd,
  };
}

/** `too_expensive` is what the processor calls it; people read `Too expensive`. */
function reason({ cancellationFeedback, cancellationReason }: Subscription): { readonly why?: string } {
  const code = cancellationFeedback ?? cancellationReason;
  if (code === null || code === "" || code === "other") return {};
  const words = code.replaceAll("_", " ");
  return { why: words.charAt(0).toUpperCase() + words.slice(1) };
}
