import type { ListedAd } from "#libs/contract/ad.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { isPaidAhead } from "#libs/domain/paid-time.ts";
import { hasEnded, plannedEnd } from "#libs/domain/subscription.ts";

interface EndWords {
  /** `Renews`, `Ends`, `Ended`. */
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
  | "cancellationReason"
  | "cancellationFeedback"
  | "currentPeriodEnd"
  | "awaitsApproval"
>;

/** The end or next renewal of a subscription; null if none is known. */
export function endWords(subscription: Subscription): EndWords | null {
  const { status, canceledAt, currentPeriodEnd, awaitsApproval } = subscription;
  const why = reason(subscription);
  if (hasEnded(status)) {
    const at = canceledAt ?? currentPeriodEnd;
    return at === null ? null : { name: "Ended", at, ...why };
  }
  const end = plannedEnd(subscription);
  if (end !== null) return { name: "Ends", at: end, ...why };
  if (currentPeriodEnd === null || status === "Incomplete" || awaitsApproval) return null;
  return {
    name: status === "Active" || status === "Trialing" ? "Renews" : "Period ends",
    at: currentPeriodEnd,
  };
}

interface PaidTime {
  readonly until: string;
  /** What an approval does to the money, once the time has passed; null before. */
  readonly rule: string | null;
}

/** The time that an advertiser paid for at checkout, while it passes without an approved ad; null where none does. */
export function paidTime(
  { tierPrice, ...subscription }: Subscription & Pick<ListedAd["subscription"], "chargeAt" | "tierPrice">,
  now: ProcessorTime,
): PaidTime | null {
  const { currentPeriodEnd: until } = subscription;
  if (until === null || !isPaidAhead({ ...subscription, amount: tierPrice.amount })) return null;
  const isOver = Date.parse(until) <= now;
  return { until, rule: isOver ? "Approving the ad starts a new period and charges it." : null };
}

/** The payment processor's `too_expensive` becomes `Too expensive`. */
function reason({ cancellationFeedback, cancellationReason }: Subscription): { readonly why?: string } {
  const code = cancellationFeedback ?? cancellationReason;
  if (code === null || code === "" || code === "other") return {};
  const words = code.replaceAll("_", " ");
  return { why: words.charAt(0).toUpperCase() + words.slice(1) };
}
