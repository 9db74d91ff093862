import type { Ad } from "#libs/contract/ad.ts";
import type { Invoice } from "#libs/contract/invoices.ts";
import { isChargedBack } from "#libs/domain/invoice.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import {
  type CurrentPeriod,
  movedPeriods,
  refundedSince,
  rejectionRefund,
  unusedFrom,
} from "#libs/domain/rejection-refund.ts";
import { formatMoney } from "./format.ts";

/** What a rejection or a cancellation can refund, by now. */
export interface RefundOffer {
  readonly label: string;
  readonly description: string;
  /** Whether it is chosen unless somebody decides otherwise. */
  readonly isUsual: boolean;
}

type Period = Pick<Ad["subscription"], "currentPeriodStart" | "currentPeriodEnd" | "paidAmount">;

/** The offer for these invoices if the subscription ends now, or has ended; null if there is nothing to refund. */
export function refundOffer(
  invoices: readonly Invoice[],
  hasRun: boolean,
  subscription: Period & Pick<Ad["subscription"], "stoppedAt" | "endedAt">,
  now: ProcessorTime,
): RefundOffer | null {
  const endedAt = unusedFrom(instantOf(subscription.endedAt) ?? now, instantOf(subscription.stoppedAt));
  const newestFirst = invoices
    .filter(({ amountPaid, total }) => amountPaid > 0 || total > 0)
    .map((invoice) => ({
      ...invoice,
      refundedSince: refundedSince(
        invoice.refunds.map(({ amount, refundedAt }) => ({ amount, madeAt: Date.parse(refundedAt) })),
        endedAt,
      ),
      periodStart: Date.parse(invoice.periodStart),
      periodEnd: Date.parse(invoice.periodEnd),
    }))
    .toSorted((a, b) => b.periodStart - a.periodStart);
  const newest = newestFirst.find(({ periodStart, periodEnd }) => periodEnd > periodStart);
  const paid = newestFirst
    .map(movedPeriods(currentPeriodOf(newest?.id ?? null, subscription)))
    .filter(({ dispute }) => !isChargedBack(dispute));
  const amount = paid.reduce((sum, invoice) => sum + rejectionRefund(invoice, { hasRun, endedAt }), 0);
  const currency = paid[0]?.currency;
  if (amount === 0 || currency === undefined) return null;
  return {
    label: `Refund ${formatMoney(amount, currency)}`,
    description: hasRun
      ? "The unused part of the current period, to the second. Otherwise past payments aren’t refunded."
      : "Everything that was paid, because the ad never ran. Otherwise past payments aren’t refunded.",
    isUsual: !hasRun,
  };
}

/**
 * The newest paid invoice that sells a period is of the current one, which may have been moved since, unless nothing was paid for that.
 * A credit may have paid it, or its amount was too small to be charged.
 */
function currentPeriodOf(
  newestId: string | null,
  { currentPeriodStart, currentPeriodEnd, paidAmount }: Period,
): CurrentPeriod {
  const isPaid = paidAmount !== null && paidAmount > 0;
  return {
    periodInvoiceId: isPaid ? newestId : null,
    currentPeriodStart: instantOf(currentPeriodStart),
    currentPeriodEnd: instantOf(currentPeriodEnd),
  };
}

function instantOf(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
