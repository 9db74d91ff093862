/** A paid invoice of a subscription. Amounts are in the smallest currency unit, times in milliseconds since the epoch. */
export interface PaidInvoice {
  readonly amountPaid: number;
  readonly amountRefunded: number;
  readonly periodStart: number;
  readonly periodEnd: number;
}

/** The subscription of a rejected ad. */
export interface RejectedSale {
  /** Whether the ad has ever been on air. */
  readonly hasRun: boolean;
  /** When the subscription ends, or has ended. */
  readonly endedAt: number;
}

/**
 * What a rejection refunds of an invoice: of an ad that never ran everything that is left of what was paid, otherwise the unused
 * part of the current period, by seconds and rounded down once, if that much is left.
 */
export function rejectionRefund(invoice: PaidInvoice, { hasRun, endedAt }: RejectedSale): number {
  const left = invoice.amountPaid - invoice.amountRefunded;
  return Math.max(0, hasRun ? Math.min(left, unusedAmount(invoice, endedAt)) : left);
}

/** The part of an invoice's amount for the seconds after `endedAt`; 0 unless that lies in its period. */
function unusedAmount({ amountPaid, periodStart, periodEnd }: PaidInvoice, endedAt: number): number {
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
