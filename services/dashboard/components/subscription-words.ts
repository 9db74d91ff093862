import type { ListedAd } from "#libs/contract/ad.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { paidUntil } from "#libs/domain/paid-time.ts";
import { hasEnded, plannedEnd } from "#libs/domain/subscription.ts";
import { formatDate } from "./format.ts";

interface EndWords {
  /** `Renews`, `Ends`, `Ended`; `Stopped` while the time of its period stands still. */
  readonly name: string;
  readonly at: string;
  /** The payment processor's reason for the end, if it has one. */
  readonly why?: string;
}

type Subscription = Pick<
  ListedAd["subscription"],
  | "status"
  | "cancelAtPeriodEnd"
  | "cancelAt"
  | "canceledAt"
  | "endedAt"
  | "stoppedAt"
  | "cancellationReason"
  | "cancellationFeedback"
  | "currentPeriodEnd"
  | "awaitsApproval"
>;

/** The end or next renewal of a subscription; null if none is known. */
export function endWords(subscription: Subscription): EndWords | null {
  const { status, endedAt, canceledAt, currentPeriodEnd, awaitsApproval, stoppedAt } = subscription;
  const why = reason(subscription);
  if (hasEnded(status)) {
    const at = endedAt ?? canceledAt ?? currentPeriodEnd;
    return at === null ? null : { name: "Ended", at, ...why };
  }
  const end = plannedEnd(subscription);
  if (end !== null) return { name: "Ends", at: end, ...why };
  if (stoppedAt !== null) return { name: "Stopped", at: stoppedAt };
  if (currentPeriodEnd === null || status === "Incomplete" || awaitsApproval) return null;
  return {
    name: status === "Active" || status === "Trialing" ? "Renews" : "Period ends",
    at: currentPeriodEnd,
  };
}

/**
 * Until when an advertiser paid at checkout, while that time passes without an approved ad, and afterwards what an approval does;
 * null where no such time passes.
 */
export function paidTimeWords(
  subscription: Subscription & Pick<ListedAd["subscription"], "awaitsCharge" | "stoppedAt" | "tierPrice">,
  now: ProcessorTime,
): string | null {
  const { awaitsCharge, stoppedAt, currentPeriodEnd: end, tierPrice } = subscription;
  const held = {
    ...subscription,
    isPeriodVoid: awaitsCharge,
    isStopped: stoppedAt !== null,
    currentPeriodEnd: end === null ? null : Date.parse(end),
    amount: tierPrice.amount,
  };
  const until = paidUntil(held, now);
  if (until === null) return null;
  return until === "over"
    ? "No paid time is left: approving the ad starts a new period and charges it."
    : `Paid until ${formatDate(new Date(until).toISOString())}.`;
}

/** The payment processor's `too_expensive` becomes `Too expensive`. */
function reason({ cancellationFeedback, cancellationReason }: Subscription): { readonly why?: string } {
  const code = cancellationFeedback ?? cancellationReason;
  if (code === null || code === "" || code === "other") return {};
  const words = code.replaceAll("_", " ");
  return { why: words.charAt(0).toUpperCase() + words.slice(1) };
}
