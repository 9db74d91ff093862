import { isChargedBack } from "#libs/domain/invoice.ts";
import {
  movedPeriods,
  type RejectedSale,
  refundedSince,
  rejectionRefund,
  unusedFrom,
} from "#libs/domain/rejection-refund.ts";
import {
  PaymentsError,
  type ProcessorCharge,
  type ProcessorInvoice,
  type ProcessorRefund,
  type ProcessorSubscription,
} from "#libs/payments/index.ts";
import { syncCharge } from "../billing/ledger/charge.ts";
import { REJECTION_KEY } from "../billing/ledger/record-refunds.ts";
import type { Billing } from "../billing/mirror.ts";
import type { AdRow } from "./queries.ts";

/** What a rejection has refunded; `refundIds` are the processor's. */
export interface RejectionRefund {
  readonly amount: number;
  readonly currency: string;
  /** Whether it is everything that was paid; otherwise the rest of the period. */
  readonly isAll: boolean;
  readonly refundIds: readonly string[];
}

/** Attempts to refund an invoice of which something else is refunded at the same time. */
const MAX_ATTEMPTS = 3;

/** A subscription that the publisher has ended; `id` is its ad's, or its own where it has none. */
export interface EndedSale extends Pick<AdRow, "id" | "provider_account" | "currency"> {
  readonly serving_since: Date | null;
  /** When the ad went off the air for good, if that was before the end. */
  readonly offAirSince?: number | undefined;
}

/** Shown with the refund. */
const NOTE = "The subscription was ended.";

/**
 * Refunds at the processor what a subscription that was ended is due by the rule of `rejectionRefund`, and
 * copies it into the ledger; null if that is nothing. Where no refund is `wanted` it only finds what an earlier attempt, whose
 * answer was lost, has refunded all the same. A repetition, after a failure or a crash, finds the refunds that were
 * made: each has a key of the sale and the invoice, and its amount depends on when the subscription ended and not on now. A
 * payment that the bank has taken back is left out. Where many invoices outlast the claim of the subscription, another rejection
 * finds the same refunds. Throws `PaymentsError`.
 */
export async function refundRejected(
  billing: Billing,
  ad: EndedSale,
  subscription: ProcessorSubscription,
  wanted: boolean,
): Promise<RejectionRefund | null> {
  const { payments, now } = billing;
  const account = ad.provider_account;
  const endedAt = subscription.endedAt ?? subscription.canceledAt ?? payments.moment(now()).atProcessor;
  const usedUntil = Math.min(endedAt, ad.offAirSince ?? endedAt);
  const sale: Sale = {
    hasRun: ad.serving_since !== null,
    endedAt: unusedFrom(usedUntil, subscription.stop?.at ?? null),
    wanted,
  };
  const made: ProcessorRefund[] = [];
  const invoices = payments.listInvoices({ account, since: 0, subscriptionId: subscription.id });
  const paidFor = movedPeriods<ProcessorInvoice>(subscription);
  for await (const listed of invoices) {
    const invoice = paidFor(listed);
    const most = rejectionRefund({ ...invoice, amountRefunded: 0, refundedSince: 0 }, sale);
    if (invoice.status !== "paid" || most === 0) continue;
    const refund = await refundOne(billing, ad, invoice, sale);
    if (refund !== null) made.push(refund);
  }
  if (made.length === 0) return null;
  return {
    amount: made.reduce((sum, { amount }) => sum + amount, 0),
    currency: ad.currency,
    isAll: !sale.hasRun,
    refundIds: made.map(({ id }) => id),
  };
}

interface Sale extends RejectedSale {
  readonly wanted: boolean;
}

async function refundOne(
  billing: Billing,
  ad: EndedSale,
  invoice: ProcessorInvoice,
  { wanted, ...sale }: Sale,
): Promise<ProcessorRefund | null> {
  const { payments } = billing;
  const account = ad.provider_account;
  const write = { account, note: NOTE, idempotencyKey: `${REJECTION_KEY}${ad.id}:${invoice.id}` };
  for (let attempt = 1; ; attempt += 1) {
    const charge = await payments.readChargeOfInvoice(invoice.id, account);
    if (charge === null) return null;
    try {
      const refund = await refundCharge(charge);
      if (refund !== null) await syncCharge(billing, charge.id, account);
      return refund;
    } catch (error) {
      const isRaced = error instanceof PaymentsError && error.code === "REFUND_REFUSED";
      if (!isRaced || attempt === MAX_ATTEMPTS) throw error;
    }
  }

  async function refundCharge(charge: ProcessorCharge): Promise<ProcessorRefund | null> {
    const made = charge.refunds.find(({ idempotencyKey }) => idempotencyKey === write.idempotencyKey);
    if (made !== undefined) return made;
    const { amount: amountPaid, amountRefunded, dispute } = charge;
    const refunds = charge.refunds.map((refund) => ({ amount: refund.amount, madeAt: refund.createdAt }));
    const paid = {
      ...invoice,
      amountPaid,
      amountRefunded,
      refundedSince: refundedSince(refunds, sale.endedAt),
    };
    const amount = rejectionRefund(paid, sale);
    return !wanted || isChargedBack(dispute) || amount === 0
      ? null
      : await payments.refundCharge(charge.id, { ...write, amount });
  }
}
