import { movedEnd, type Stop } from "#libs/domain/charging.ts";
import { hasEnded, isLastPeriod } from "#libs/domain/subscription.ts";
import { type Payments, PaymentsError, type ProcessorSubscription } from "#libs/payments/index.ts";
import type { Billing } from "../mirror.ts";

type Ports = Pick<Billing, "payments" | "now">;

/** A subscription at the processor. */
export interface Sold {
  readonly id: string;
  readonly account: string | null;
}

/**
 * Stops the time of the current period at the publisher's wish, here or at the processor. A charge of it that is still open is not collected meanwhile. Throws
 * `PaymentsError`.
 */
export async function pausePeriod(ports: Ports, sold: Sold): Promise<ProcessorSubscription> {
  const { payments } = ports;
  const at = payments.moment(ports.now()).atProcessor;
  const stopped = await payments.stopSubscription(sold.id, { ...newWrite(sold), reason: "paused", at });
  if (stopped.stop?.bill !== "collected") return stopped;
  await shelveBill(payments, sold, stopped);
  return await payments.readSubscription(sold.id, sold.account);
}

/** Ends the collection of a paused period's open invoice. Throws `PaymentsError`. */
export async function shelveBill(
  payments: Payments,
  sold: Sold,
  { periodInvoiceId }: ProcessorSubscription,
): Promise<void> {
  if (periodInvoiceId === null) return;
  await payments.collectInvoice(periodInvoiceId, { ...newWrite(sold), isCollected: false });
}

/**
 * Ends a stop, or a pause at the processor that we know nothing of. A paid period continues, moved by the time off the air; one that is
 * owed is charged first, and where that fails the stop stays, as unpaid. Where nothing is left of it, or it was voided, a new
 * period begins and is charged, or the subscription ends if it was canceled. One that has ended stays as it is. Every step may be repeated. Throws `PaymentsError`.
 */
export async function continuePeriod(
  ports: Ports,
  sold: Sold,
  current: ProcessorSubscription,
): Promise<ProcessorSubscription> {
  const { payments } = ports;
  const { stop } = current;
  if (hasEnded(current.status)) return current;
  // Where the collection was resumed at the processor, renewals may have been invoiced that would be charged beside this period.
  if (stop !== null && current.isCollected) await voidUnsettled(payments, sold, current.periodInvoiceId);
  if (stop === null) {
    return current.isPeriodVoid
      ? await beginPeriod(payments, sold, current)
      : await payments.releaseSubscription(sold.id, newWrite(sold));
  }
  if (isOwed(stop)) return await chargeStopped(ports, sold, current);
  const now = payments.moment(ports.now()).atProcessor;
  const { currentPeriodEnd: end } = current;
  // A late payment continues its period at once; a pause ends when it is ended.
  const resumedAt = stop.reason === "unpaid" ? (stop.paidAt ?? now) : now;
  const periodEnd =
    stop.bill === "void" || end === null ? null : movedEnd({ at: stop.at, end, resumedAt }, now);
  return periodEnd === null
    ? await beginPeriod(payments, sold, current)
    : await payments.continueSubscription(sold.id, { ...newWrite(sold), periodEnd });
}

/**
 * Begins a period and charges it. What was unpaid for the one before can be paid no more: it would buy nothing. An advertiser who has
 * canceled is not charged again: the subscription ends.
 */
async function beginPeriod(
  payments: Payments,
  sold: Sold,
  current: ProcessorSubscription,
): Promise<ProcessorSubscription> {
  await voidUnsettled(payments, sold, null);
  return isLastPeriod(current)
    ? await payments.cancelSubscription(sold.id, { ...newWrite(sold), atPeriodEnd: false })
    : await payments.startSubscription(sold.id, { ...newWrite(sold), trialEnd: null, seen: current });
}

async function chargeStopped(
  ports: Ports,
  sold: Sold,
  { periodInvoiceId, stop }: ProcessorSubscription,
): Promise<ProcessorSubscription> {
  const { payments } = ports;
  if (periodInvoiceId !== null && stop !== null) {
    const { status } = await payments.payInvoice(periodInvoiceId, newWrite(sold));
    if (status === "open") {
      // In this order: a crash between the two is seen, because the processor does not collect the invoice of an unpaid period.
      await payments.stopSubscription(sold.id, { ...newWrite(sold), reason: "unpaid", at: stop.at });
      await payments.collectInvoice(periodInvoiceId, { ...newWrite(sold), isCollected: true });
      return await payments.readSubscription(sold.id, sold.account);
    }
  }
  const settled = await payments.readSubscription(sold.id, sold.account);
  if (settled.stop === null) return settled;
  if (isOwed(settled.stop)) {
    throw new PaymentsError(
      "PROCESSOR_FAILED",
      "The payment processor has not settled an invoice yet.",
      true,
    );
  }
  return await continuePeriod(ports, sold, settled);
}

function isOwed({ bill }: Pick<Stop, "bill">): boolean {
  return bill === "open" || bill === "collected";
}

/** Voids what may still be charged or paid of a subscription's invoices, except for one. Throws `PaymentsError`. */
export async function voidUnsettled(payments: Payments, sold: Sold, exceptId: string | null): Promise<void> {
  const { id: subscriptionId, account } = sold;
  // What was written off can still be paid.
  for (const status of ["draft", "open", "uncollectible"] as const) {
    const invoices = payments.listInvoices({ account, since: 0, subscriptionId, status });
    for await (const { id } of invoices) {
      if (id !== exceptId) await payments.voidInvoice(id, newWrite(sold));
    }
  }
}

/**
 * A new idempotency key for each call: pausing twice does no harm, but the stored answer to an earlier pause would hide that
 * somebody has resumed the subscription at the processor since.
 */
export function newWrite({ account }: Pick<Sold, "account">) {
  return { account, idempotencyKey: crypto.randomUUID() };
}
