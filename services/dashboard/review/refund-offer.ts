import type { Invoice } from "#libs/contract/invoices.ts";
import { isChargedBack } from "#libs/domain/invoice.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { rejectionRefund } from "#libs/domain/rejection-refund.ts";
import { formatMoney } from "../components/format.ts";

/** What a rejection can refund, by now. */
export interface RefundOffer {
  readonly label: string;
  readonly description: string;
  /** Whether it is chosen unless somebody decides otherwise. */
  readonly isUsual: boolean;
}

/** The offer for these invoices if the subscription ended now; null if there is nothing to refund. */
export function refundOffer(
  invoices: readonly Invoice[],
  hasRun: boolean,
  now: ProcessorTime,
): RefundOffer | null {
  const paid = invoices
    .filter(({ dispute }) => !isChargedBack(dispute))
    .map((invoice) => ({
      ...invoice,
      periodStart: Date.parse(invoice.periodStart),
      periodEnd: Date.parse(invoice.periodEnd),
    }));
  const amount = paid.reduce((sum, invoice) => sum + rejectionRefund(invoice, { hasRun, endedAt: now }), 0);
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
