import { chargesNoMore, isUnsold } from "#libs/domain/charging.ts";
import { endsWithoutAccount } from "#libs/domain/lost-account.ts";
import type { PlannedEnd } from "#libs/domain/outlook.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { hasEnded, isOverdue, plannedEnd, type SubscriptionStatus } from "#libs/domain/subscription.ts";

/** The part of a subscription's state that letters report; times are milliseconds since the epoch. */
export interface BillingState {
  readonly status: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  /** When the end was planned. */
  readonly canceledAt: number | null;
  readonly cancellationReason: string | null;
  readonly currentPeriodEnd: number | null;
  readonly chargeAt: ChargeAt;
  readonly awaitsApproval: boolean;
  readonly isPeriodVoid: boolean;
  /** The invoice whose charge has failed, or null. Before the change this is as we knew it: it may have been paid since. */
  readonly owedInvoice: string | null;
}

export type BillingNews =
  | { readonly kind: "payment failed" }
  | { readonly kind: "payment made" }
  /** A cancellation that takes effect later. */
  | { readonly kind: "canceled"; readonly end: PlannedEnd }
  /** A planned cancellation was withdrawn. */
  | { readonly kind: "continues" }
  /** `paid` is what was paid by the end of a charge that had failed before; null if nothing was, or none had failed. */
  | { readonly kind: "ended"; readonly isPlanned: boolean; readonly paid: number | null }
  | { readonly kind: "paused" }
  | { readonly kind: "resumed" };

/** The state after a change. */
export interface NewBillingState extends BillingState {
  /** When the subscription ended for good. */
  readonly endedAt: number | null;
  /** What was paid for the current period; null while it is not paid. */
  readonly paidAmount: number | null;
}

/**
 * The news in a subscription's change of state.
 *
 * - A renewal that is paid at once is no news. A failed payment is news only once until it is paid or another invoice is owed.
 * - A planned end is news once, and again if it moves to a later time. So is its withdrawal. Neither is news where the end comes at
 *   once, because the period was not sold. The letters of a resumption and of a payment name the end themselves.
 * - An end that was planned because the account was lost is no news, and its withdrawal is none.
 * - An end counts as planned unless it comes before the planned time.
 */
export function billingNews(before: BillingState, after: NewBillingState): BillingNews[] {
  if (hasEnded(before.status)) return [];
  const planBefore = endsAtOnce(before) || isUntold(before, after) ? null : plannedEnd(before);
  if (after.status === "Canceled") {
    const isPlanned = planBefore !== null && (after.endedAt === null || after.endedAt >= planBefore);
    return [{ kind: "ended", isPlanned, paid: isOverdue(before.status) ? after.paidAmount : null }];
  }
  const status = statusNews(before, after);
  const isNamed =
    status.some(({ kind }) => kind === "resumed" || kind === "payment made") ||
    endsWithoutAccount(before.cancellationReason);
  return [...planNews(planBefore, after, isNamed), ...status];
}

function planNews(before: number | null, after: BillingState, isNamed: boolean): BillingNews[] {
  const end = plannedEnd(after);
  if (end === null) return before === null ? [] : [{ kind: "continues" }];
  const isRenewed = !chargesNoMore(after);
  const isTold = before !== null && (isNamed || end <= before);
  return isTold || endsAtOnce(after) ? [] : [{ kind: "canceled", end: { at: new Date(end), isRenewed } }];
}

function statusNews(
  { status: before, owedInvoice, isPeriodVoid }: BillingState,
  { status: after, paidAmount, owedInvoice: owedNow }: NewBillingState,
): BillingNews[] {
  // A payment that came too late for its period begins a new one, and so does a write-off. Its charge may fail as well.
  const wasOther = owedInvoice === null ? isPeriodVoid : owedInvoice !== owedNow;
  const isOther = owedNow !== null && wasOther;
  if (isOverdue(after)) return isOverdue(before) && !isOther ? [] : [{ kind: "payment failed" }];
  if (after === "Paused") return before === "Paused" ? [] : [{ kind: "paused" }];
  if (before === "Paused") return [{ kind: "resumed" }];
  // An invoice that was voided at the processor is owed no longer, and was not paid.
  return isOverdue(before) && paidAmount !== null ? [{ kind: "payment made" }] : [];
}

/** Whether the loss of the account has planned the end, of which nobody was told. What the advertiser planned before it keeps its time. */
function isUntold(before: BillingState, after: BillingState): boolean {
  return endsWithoutAccount(before.cancellationReason) && before.canceledAt !== after.canceledAt;
}

/** Whether a cancellation ends the subscription at once, because nothing was paid for its period. A paused one waits. */
function endsAtOnce(state: BillingState): boolean {
  return state.status !== "Paused" && isUnsold(state) && chargesNoMore(state);
}
