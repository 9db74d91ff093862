/** A paid invoice of a subscription. Amounts are in the smallest currency unit, times in milliseconds since the epoch. */
export interface PaidInvoice {
  readonly amountPaid: number;
  readonly amountRefunded: number;
  /** The part of `amountRefunded` that was refunded after the end of the subscription. */
  readonly refundedSinceEnd: number;
  readonly periodStart: number;
  readonly periodEnd: number;
}

/** The subscription of a rejected ad. */
export interface RejectedSale {
  /** Whether the ad has ever been on air. */
  readonly hasRun: boolean;
  /** When the subscription ends, or has ended; when its period was stopped, if that was before. */
  readonly endedAt: number;
}

/**
 * What a rejection refunds of an invoice: of an ad that never ran everything that is left of what was paid, otherwise the unused
 * part of the current period, by seconds and rounded down once, if that much is left. What somebody has refunded since the end
 * counts towards it, so that two refunds do not pay the same time back.
 */
export function rejectionRefund(invoice: PaidInvoice, { hasRun, endedAt }: RejectedSale): number {
  const left = invoice.amountPaid - invoice.amountRefunded;
  const due = hasRun ? unusedAmount(invoice, endedAt) - invoice.refundedSinceEnd : left;
  return Math.max(0, Math.min(left, due));
}

/** What a subscription tells of its current period, which may have been moved. */
export interface CurrentPeriod {
  readonly periodInvoiceId: string | null;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
}

/** An invoice with the period that it pays for: the invoice of the current period does not know that this was moved. */
export function withMovedPeriod<Invoice extends Pick<PaidInvoice, "periodStart" | "periodEnd">>(
  invoice: Invoice & { readonly id: string },
  { periodInvoiceId, currentPeriodStart: start, currentPeriodEnd: end }: CurrentPeriod,
): Invoice & { readonly id: string } {
  if (invoice.id !== periodInvoiceId || start === null || end === null) return invoice;
  return { ...invoice, periodStart: start, periodEnd: end };
}

/**
 * What is refunded of an invoice that was paid after its subscription had ended: the part for the time off the air, which is all
 * of it where the period begins at the end or later.
 */
export function lateRefund(invoice: PaidInvoice, usedUntil: number): number {
  const due = invoice.periodStart >= usedUntil ? invoice.amountPaid : unusedAmount(invoice, usedUntil);
  return Math.max(0, Math.min(invoice.amountPaid - invoice.amountRefunded, due - invoice.refundedSinceEnd));
}

/** The part of what was paid for a period that is left of it from `stoppedAt` on. */
export function unusedPart(
  { paidAmount, start, end }: { readonly paidAmount: number; readonly start: number; readonly end: number },
  stoppedAt: number,
): number {
  return unusedAmount({ amountPaid: paidAmount, periodStart: start, periodEnd: end }, stoppedAt);
}

/** The part of an invoice's amount for the seconds after `endedAt`; 0 unless that lies in its period. */
function unusedAmount(
  { amountPaid, periodStart, periodEnd }: Pick<PaidInvoice, "amountPaid" | "periodStart" | "periodEnd">,
  endedAt: number,
): number {
  const start = seconds(periodStart);
  const end = seconds(periodEnd);
  const until = seconds(endedAt);
  if (end <= start || until < start || until >= end) return 0;
  // Exact: amount times seconds is more than a number can hold.
  return Number((BigInt(amountPaid) * BigInt(end - until)) / BigInt(end - start));
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
