import { movedEnd, type Stop } from "#libs/domain/charging.ts";
import { hasEnded, isLastPeriod } from "#libs/domain/subscription.ts";
import {
  type Payments,
  PaymentsError,
  type ProcessorInvoice,
  type ProcessorSubscription,
  sellsPeriod,
} from "#libs/payments/index.ts";
import type { Billing } from "../mirror.ts";

type Ports = Pick<Billing, "payments" | "now">;

/** A subscription at the processor. */
export interface Sold {
  readonly id: string;
  readonly account: string | null;
}

/**
 * Stops the time of the current period because the publisher has paused it, here or at the processor. Its open charge is not
 * collected meanwhile. Throws `PaymentsError`.
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
 * Ends a stop, or a pause at the processor of which we know nothing:
 *
 * - A paid period continues, moved by the time off the air.
 * - An owed period is charged first. If that fails, the stop stays, as unpaid.
 * - If nothing is left of the period, or it was voided, a new one begins and is charged. A canceled subscription ends instead.
 *
 * An ended subscription stays as it is. Every step may be repeated. Throws `PaymentsError`.
 */
export async function continuePeriod(
  ports: Ports,
  sold: Sold,
  current: ProcessorSubscription,
): Promise<ProcessorSubscription> {
  const { payments } = ports;
  const { stop } = current;
  if (hasEnded(current.status)) return current;
  // If somebody resumed the collection at the processor, it may have invoiced renewals, which would be charged beside this period.
  if (stop !== null && current.isCollected) await voidPeriods(payments, sold, current.periodInvoiceId);
  if (stop === null) {
    return current.isPeriodVoid
      ? await beginPeriod(payments, sold, current)
      : await payments.releaseSubscription(sold.id, newWrite(sold));
  }
  if (isOwed(stop)) return await chargeStopped(ports, sold, current);
  const now = payments.moment(ports.now()).atProcessor;
  const { currentPeriodEnd: end } = current;
  // A payment that we learn of late has not brought the ad back before now, either.
  const periodEnd = stop.bill === "void" || end === null ? null : movedEnd({ at: stop.at, end }, now);
  return periodEnd === null
    ? await beginPeriod(payments, sold, current)
    : await payments.continueSubscription(sold.id, { ...newWrite(sold), periodEnd });
}

/**
 * Voids unpaid invoices of periods, which would buy nothing, then begins a period and charges it. If the advertiser has canceled, the
 * subscription ends instead.
 */
async function beginPeriod(
  payments: Payments,
  sold: Sold,
  current: ProcessorSubscription,
): Promise<ProcessorSubscription> {
  await voidPeriods(payments, sold, null);
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
      // This order makes a crash between the two visible: the processor then does not collect the invoice of an unpaid period.
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

/**
 * Voids the invoices of a subscription's periods that may still be charged or paid, except for one. What somebody has invoiced at the
 * processor for anything else stays. Throws `PaymentsError`.
 */
export async function voidPeriods(payments: Payments, sold: Sold, exceptId: string | null): Promise<void> {
  await voidUnsettled(payments, sold, (invoice) => sellsPeriod(invoice) && invoice.id !== exceptId);
}

/** Voids those of a subscription's invoices that may still be charged or paid. Throws `PaymentsError`. */
export async function voidUnsettled(
  payments: Payments,
  sold: Sold,
  isOne: (invoice: ProcessorInvoice) => boolean,
): Promise<void> {
  const { id: subscriptionId, account } = sold;
  // An invoice that was written off can still be paid.
  for (const status of ["draft", "open", "uncollectible"] as const) {
    const invoices = payments.listInvoices({ account, since: 0, subscriptionId, status });
    for await (const invoice of invoices) {
      if (isOne(invoice)) await payments.voidInvoice(invoice.id, newWrite(sold));
    }
  }
}

/**
 * Makes a new idempotency key for each call. Pausing twice does no harm, but the stored answer to an earlier pause would hide that
 * somebody has resumed the subscription at the processor since.
 */
export function newWrite({ account }: Pick<Sold, "account">) {
  return { account, idempotencyKey: crypto.randomUUID() };
}
