import { chargedFor, wholeSteps } from "./money.ts";

/** A paid invoice of a subscription. Amounts are in the smallest currency unit, times in milliseconds since the epoch. */
export interface PaidInvoice {
  /** What the period costs. */
  readonly total: number;
  /** What was charged: less than `total` with a credit, more if it settles an earlier invoice that was too small to be charged. */
  readonly amountPaid: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly amountRefunded: number;
  /** The part of `amountRefunded` that was refunded since time of the subscription is unused. */
  readonly refundedSince: number;
  readonly periodStart: number;
  readonly periodEnd: number;
}

/** The subscription of a rejected ad. */
export interface RejectedSale {
  /** Whether the ad has ever been on air. */
  readonly hasRun: boolean;
  /** As `unusedFrom` says. */
  readonly endedAt: number;
}

/** The moment from which the time of a subscription is unused: its end, or the stop of its period if that came first. */
export function unusedFrom(endedAt: number, stoppedAt: number | null): number {
  return Math.min(stoppedAt ?? endedAt, endedAt);
}

/** The sum of the refunds that were made at `since` or later. */
export function refundedSince(
  refunds: readonly { readonly amount: number; readonly madeAt: number }[],
  since: number,
): number {
  return refunds.reduce((sum, { amount, madeAt }) => (madeAt < since ? sum : sum + amount), 0);
}

/**
 * What a rejection refunds of an invoice: of an ad that never ran everything that is left of what was paid, otherwise the unused
 * part of the current period, by seconds and rounded down to what can be refunded, if that much is left. What somebody has refunded since then
 * counts towards it, so that two refunds do not pay the same time back.
 */
export function rejectionRefund(invoice: PaidInvoice, { hasRun, endedAt }: RejectedSale): number {
  const left = invoice.amountPaid - invoice.amountRefunded;
  const due = hasRun ? unusedAmount(invoice, endedAt) - invoice.refundedSince : left;
  return Math.max(0, Math.min(left, due));
}

/** What a subscription tells of its current period, which may have been moved. */
export interface CurrentPeriod {
  readonly periodInvoiceId: string | null;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
}

interface InvoiceOfPeriod extends Pick<PaidInvoice, "amountPaid" | "periodStart" | "periodEnd"> {
  readonly id: string;
}

/** A period this many times as long as that of its invoice was paid with several: months differ in length, but by less. */
const SEVERAL = 1.5;

/**
 * Gives each invoice of a subscription, in turn from the newest, the time that it pays for. The invoice of the current period does not
 * know that this was moved. Where several renewals that were paid before the approval make the period, each pays for
 * its own length, the newest for the last.
 */
export function movedPeriods<Invoice extends InvoiceOfPeriod>({
  periodInvoiceId,
  currentPeriodStart: start,
  currentPeriodEnd: end,
}: CurrentPeriod): (invoice: Invoice) => Invoice {
  /** The end of the part of the period that belongs to older invoices; null for none. */
  let rest: number | null = null;
  return (invoice) => {
    if (start === null || end === null) return invoice;
    const isNewest = invoice.id === periodInvoiceId;
    const length = invoice.periodEnd - invoice.periodStart;
    if (isNewest && end - start < SEVERAL * length) return { ...invoice, periodStart: start, periodEnd: end };
    const periodEnd = isNewest ? end : rest;
    if (periodEnd === null || periodEnd <= start || invoice.amountPaid === 0) return invoice;
    rest = Math.max(start, periodEnd - length);
    return { ...invoice, periodStart: rest, periodEnd };
  };
}

/**
 * What is refunded of an invoice that was paid after its subscription had ended: the part for the time off the air, which is all
 * of it where the period begins at the end or later.
 */
export function lateRefund(invoice: PaidInvoice, usedUntil: number): number {
  const due = unusedAmount(invoice, usedUntil) - invoice.refundedSince;
  return Math.max(0, Math.min(invoice.amountPaid - invoice.amountRefunded, due));
}

/** The part of what was paid for a period that is left of it from `stoppedAt` on. */
export function unusedPart(
  {
    paidAmount: amountPaid,
    currency,
    start: periodStart,
    end: periodEnd,
  }: {
    readonly paidAmount: number;
    readonly currency: string;
    readonly start: number;
    readonly end: number;
  },
  stoppedAt: number,
): number {
  return unusedAmount({ total: amountPaid, amountPaid, currency, periodStart, periodEnd }, stoppedAt);
}

/** The part of what was paid for an invoice's own period, for the seconds of it after `endedAt`. */
function unusedAmount(
  {
    total,
    amountPaid,
    currency,
    periodStart,
    periodEnd,
  }: Pick<PaidInvoice, "total" | "amountPaid" | "currency" | "periodStart" | "periodEnd">,
  endedAt: number,
): number {
  const paid = Math.min(chargedFor(total, currency), amountPaid);
  const start = seconds(periodStart);
  const end = seconds(periodEnd);
  const until = seconds(endedAt);
  if (end <= start || until >= end) return 0;
  if (until <= start) return paid;
  // Exact: amount times seconds is more than a number can hold.
  const unused = Number((BigInt(paid) * BigInt(end - until)) / BigInt(end - start));
  return wholeSteps(unused, currency);
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
