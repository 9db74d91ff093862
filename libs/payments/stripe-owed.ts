import type { Stripe } from "stripe";
import type { Bill } from "#libs/domain/charging.ts";
import { isOverdue } from "#libs/domain/subscription.ts";
import type { Account } from "./accounts.ts";
import { type ProcessorInvoice, sellsPeriod } from "./money.ts";
import { eachOf, isMissing } from "./stripe-errors.ts";
import { isUnsettled, readInvoice, readInvoiceObject } from "./stripe-money.ts";
import type { WrittenPeriod } from "./stripe-periods.ts";
import { inAccount } from "./stripe-request.ts";
import { soldPeriod } from "./stripe-sold-period.ts";
import { paidBy, type ReadSubscription, readSubscriptionObject } from "./stripe-vocabulary.ts";
import type { OwedCharge, ProcessorSubscription } from "./subscriptions.ts";

/**
 * A whole subscription in our vocabulary; `customer` and `latest_invoice` are to be expanded. Only invoices that sell a period count:
 * where another one alone has made it overdue, it is active as long as its period is paid, and where another one was paid while a period
 * is owed, it is overdue.
 */
export async function wholeSubscription(
  stripe: Stripe,
  atProcessor: Stripe.Subscription,
  account: Account,
): Promise<ProcessorSubscription> {
  const sold = await newestSold(stripe, atProcessor, account);
  const subscription = readSubscriptionObject(atProcessor, sold);
  const { stop, status, latestInvoiceId } = subscription;
  if (stop !== null) return await withStop(stripe, { ...subscription, stop }, account);
  const none = { owed: null, renewalFailedAt: null, stop: null };
  // The processor calls it active once its latest invoice is paid or void, also where that is another one and a renewal is still owed.
  const mayOwe = status === "Active" && sold !== null && sold.status !== "paid";
  if (!isOverdue(status) && !mayOwe) return { ...subscription, ...none };
  const invoices = invoicesOf(stripe, subscription.id, account);
  const { owed, owesOther } = await failedOf(invoices("open"), mayOwe ? latestInvoiceId : null);
  if (owed === null) {
    const isByOther = owesOther || latestInvoiceId !== sold?.id;
    // A renewal that is still a draft is charged within the hour, unless the processor has given up charging.
    const isPaid = subscription.paidAmount !== null || sold?.status === "paid";
    const isSettled = isPaid || (sold?.status === "draft" && status === "PastDue");
    return { ...subscription, ...none, status: isByOther && isSettled ? "Active" : status };
  }
  const { id: invoiceId, failedAt, isRenewal, periodStart, periodEnd } = owed.invoice;
  const hasPaid = (await newestPayment(invoices("paid"))) !== null;
  return {
    ...subscription,
    ...none,
    status: mayOwe ? "PastDue" : status,
    isPeriodMoved: false,
    isPeriodVoid: false,
    currentPeriodStart: periodStart,
    currentPeriodEnd: periodEnd,
    periodInvoiceId: invoiceId,
    paidAmount: null,
    owed: { invoiceId, failedAt: owed.failedAt },
    renewalFailedAt: isRenewal && hasPaid ? failedAt : null,
  };
}

/** The newest invoice that sells a period. */
async function newestSold(
  stripe: Stripe,
  { id, latest_invoice: latest }: Stripe.Subscription,
  account: Account,
): Promise<Stripe.Invoice | null> {
  if (latest === null || (typeof latest !== "string" && soldPeriod(latest) !== null)) return latest;
  const invoices = eachOf(
    (page) => stripe.invoices.list({ ...page, subscription: id }, inAccount(account)),
    (invoice) => (soldPeriod(invoice) === null ? null : invoice),
  );
  for await (const invoice of invoices) return invoice;
  return null;
}

/**
 * A stopped subscription with what became of the invoice of its period. Where the processor has charged later periods all the same, their
 * payments count: one of them for the stopped period if that is owed, the others make it longer.
 */
async function withStop(
  stripe: Stripe,
  subscription: ReadSubscription & { readonly stop: NonNullable<ReadSubscription["stop"]> },
  account: Account,
): Promise<ProcessorSubscription> {
  const { stop, periodInvoiceId: invoiceId, currentPeriodEnd: end } = subscription;
  const own = invoiceId === null ? null : await readIfThere(stripe, invoiceId, account);
  const later = own === null ? [] : await paymentsSince(stripe, subscription.id, account, own.periodEnd);
  const invoice = later[0] ?? own;
  const isGraceOver = own?.failedAt != null && stop.at > own.failedAt;
  const added = own !== null && isUnsettled(own.status) ? later.slice(0, -1) : later;
  const ofOwn = own?.status === "paid" ? (subscription.paidAmount ?? paidBy(own)) : 0;
  const paidAmount = later.reduce((sum, renewal) => sum + paidBy(renewal), ofOwn);
  return {
    ...subscription,
    owed: null,
    currentPeriodEnd:
      end === null
        ? null
        : added.reduce((sum, { periodStart, periodEnd }) => sum + periodEnd - periodStart, end),
    paidAmount: invoice?.status === "paid" ? paidAmount : null,
    periodInvoiceId: invoice?.id ?? null,
    renewalFailedAt: isGraceOver && stop.reason === "unpaid" ? own.failedAt : null,
    stop: { ...stop, bill: billOf(invoice) },
  };
}

/** The invoice that a period's metadata names; null for one that is made up, so that nothing was paid for the period. */
async function readIfThere(stripe: Stripe, id: string, account: Account): Promise<ProcessorInvoice | null> {
  try {
    return await readInvoice(stripe, id, account);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * The time of all periods that were paid since the checkout, as one that ends with the newest; null for none. Of a subscription that should
 * not have been charged.
 */
export async function paidSinceCheckout(
  stripe: Stripe,
  id: string,
  account: Account,
): Promise<WrittenPeriod | null> {
  let newest: WrittenPeriod | null = null;
  let earlier = { length: 0, amount: 0 };
  const paid = eachOf(
    (page) => stripe.invoices.list({ ...page, subscription: id, status: "paid" }, inAccount(account)),
    (invoice) => (isSinceCheckout(invoice) ? readInvoiceObject(invoice) : null),
  );
  for await (const invoice of paid) {
    const { id: invoiceId, periodStart: start, periodEnd: end } = invoice;
    const paidAmount = paidBy(invoice);
    if (newest === null) newest = { start, end, invoiceId, paidAmount, isTrial: false };
    else earlier = { length: earlier.length + end - start, amount: earlier.amount + paidAmount };
  }
  if (newest === null) return null;
  const { start, paidAmount } = newest;
  return { ...newest, start: start - earlier.length, paidAmount: (paidAmount ?? 0) + earlier.amount };
}

function isSinceCheckout(invoice: Stripe.Invoice): boolean {
  const isFirst = invoice.billing_reason === "subscription_create";
  return !isFirst && invoice.amount_paid > 0 && soldPeriod(invoice) !== null;
}

function billOf(invoice: ProcessorInvoice | null): Bill {
  if (invoice === null || invoice.status === "void" || invoice.status === "uncollectible") return "void";
  if (invoice.status === "paid") return "paid";
  return invoice.isCollected ? "collected" : "open";
}

function invoicesOf(stripe: Stripe, subscription: string, account: Account) {
  return (status: "open" | "paid") =>
    eachOf(
      (page) => stripe.invoices.list({ ...page, subscription, status }, inAccount(account)),
      readInvoiceObject,
    );
}

interface FailedCharges {
  /** The oldest one of a period. */
  readonly owed: (Pick<OwedCharge, "failedAt"> & { readonly invoice: ProcessorInvoice }) | null;
  /** Whether one of anything else has failed. */
  readonly owesOther: boolean;
}

/** `exceptId` is an invoice whose charge is not known to have failed: the processor may be at it. */
async function failedOf(
  open: AsyncIterable<ProcessorInvoice>,
  exceptId: string | null,
): Promise<FailedCharges> {
  let { owed, owesOther }: FailedCharges = { owed: null, owesOther: false };
  for await (const invoice of open) {
    const { failedAt } = invoice;
    if (failedAt === null || invoice.id === exceptId) continue;
    if (!sellsPeriod(invoice)) owesOther = true;
    else if (owed === null || failedAt <= owed.failedAt) owed = { failedAt, invoice };
  }
  return { owed, owesOther };
}

/** The newest payment of more than nothing for a period; null if there is none. */
async function newestPayment(paid: AsyncIterable<ProcessorInvoice>): Promise<ProcessorInvoice | null> {
  for await (const invoice of paid) if (invoice.amountPaid > 0 && sellsPeriod(invoice)) return invoice;
  return null;
}

/** The renewals of more than nothing that were paid for periods from `since` on, the newest first. */
async function paymentsSince(
  stripe: Stripe,
  subscription: string,
  account: Account,
  since: number,
): Promise<ProcessorInvoice[]> {
  const found: ProcessorInvoice[] = [];
  for await (const invoice of invoicesOf(stripe, subscription, account)("paid")) {
    if (!sellsPeriod(invoice)) continue;
    if (invoice.periodStart < since) break;
    if (invoice.isRenewal && invoice.amountPaid > 0) found.push(invoice);
  }
  return found;
}
