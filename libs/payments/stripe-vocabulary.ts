import type { Stripe } from "stripe";
import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { ProcessorCheckout } from "./checkouts.ts";
import { PaymentsError } from "./errors.ts";
import { endsWithPeriod } from "./stripe-fixed-end.ts";
import { isMovedPeriod, type WrittenPeriod, writtenPeriod, writtenStop } from "./stripe-periods.ts";
import { periodEnd } from "./stripe-sold-period.ts";
import type { ProcessorSubscription } from "./subscriptions.ts";

/** Metadata of a subscription that is held, or waits for its start; the second form takes it away. */
export const AWAITS_APPROVAL = { awaitsApproval: "yes" } as const;
export const APPROVED = { awaitsApproval: "" } as const;
/** Metadata of a subscription that was sold with `chargeAt` `approval`, and with that many days of trial after it. */
export function chargedAtApproval(trialDays: number | null) {
  return { chargeAt: "approval", trialDays: String(trialDays ?? 0) } as const;
}
const TRIAL_DAYS = /^\d{1,3}$/;

const STATUSES: Readonly<Record<string, SubscriptionStatus>> = {
  trialing: "Trialing",
  active: "Active",
  past_due: "PastDue",
  canceled: "Canceled",
  unpaid: "Unpaid",
  incomplete: "Incomplete",
  incomplete_expired: "IncompleteExpired",
  paused: "Paused",
};

/** A paused collection overrides these statuses, not those that have ended or never began, unless we hold it. */
const PAUSABLE: readonly SubscriptionStatus[] = ["Trialing", "Active", "PastDue", "Unpaid"];

const OVERDUE: readonly string[] = ["past_due", "unpaid"];
/** An invoice in one of these is owed no longer, and was not paid. */
const WRITTEN_OFF: readonly (string | null)[] = ["void", "uncollectible"];

const CHECKOUT_STATUSES: Readonly<Record<string, CheckoutStatus>> = {
  open: "open",
  complete: "complete",
  expired: "expired",
};

const INTERVALS = { Day: "day", Week: "week", Month: "month", Year: "year" } as const;

/** The interval in Stripe's vocabulary. */
export function toStripeInterval(interval: Interval): (typeof INTERVALS)[Interval] {
  return INTERVALS[interval];
}

/** What only the other invoices of a subscription say. */
type FromInvoices = "renewalFailedAt" | "owed" | "stop";

/** A subscription in our vocabulary, with a stop of which it is not known yet what became of its invoice. */
export type ReadSubscription = Omit<ProcessorSubscription, FromInvoices> & {
  readonly stop: Pick<NonNullable<ProcessorSubscription["stop"]>, "reason" | "at"> | null;
};

/**
 * A subscription in our vocabulary, except for what its other invoices say; `customer` is known only when expanded. `sold` is the
 * newest invoice that sells a period (`soldPeriod`); what is newer changes nothing. The period in its metadata counts while it is
 * stopped, and when it was moved.
 */
export function readSubscriptionObject(
  subscription: Stripe.Subscription,
  sold: Stripe.Invoice | null,
): ReadSubscription {
  const item = subscription.items.data[0];
  if (item === undefined) throw unreadable(`Subscription ${subscription.id} has no item`);
  const customer = person(subscription.customer);
  const details = subscription.cancellation_details;
  const written = writtenPeriod(subscription.metadata);
  const period = periodOf(subscription, written);
  const stop = stopOf(subscription);
  const cancelAtPeriodEnd = endsWithPeriod(subscription);
  return {
    id: subscription.id,
    createdAt: subscription.created * 1000,
    customerId: idOf(subscription.customer),
    email: customer.email,
    name: customer.name,
    status: statusOf(subscription, period),
    isLeftUnpaid: subscription.status === "unpaid",
    cancelAtPeriodEnd,
    // A stopped subscription that does not continue ends with the processor's period, not with its own.
    cancelAt:
      cancelAtPeriodEnd && period !== null && stop === null
        ? period.end
        : milliseconds(subscription.cancel_at),
    canceledAt: milliseconds(subscription.canceled_at),
    endedAt: milliseconds(subscription.ended_at),
    cancellationReason: details?.reason ?? null,
    cancellationFeedback: details?.feedback ?? null,
    cancellationComment: details?.comment ?? null,
    currentPeriodStart: period?.start ?? milliseconds(item.current_period_start),
    currentPeriodEnd: period?.end ?? milliseconds(periodEnd(subscription, item, sold)),
    // The end of a period that was paid and moved is no trial's.
    trialEnd: hasTrialEnd(subscription, written) ? milliseconds(subscription.trial_end) : null,
    chargeAt: subscription.metadata.chargeAt === "approval" ? "approval" : "purchase",
    awaitsApproval: awaitsApproval(subscription),
    isCollected: subscription.pause_collection === null,
    trialDays: trialDaysOf(subscription),
    paidAmount: period === null ? paidAmountOf(sold) : period.paidAmount,
    latestInvoiceId: latestInvoiceId(subscription),
    periodInvoiceId: period === null ? (sold?.id ?? null) : period.invoiceId,
    isTrialPeriod: period?.isTrial ?? subscription.status === "trialing",
    isPeriodMoved: period !== null && stop === null,
    isPeriodVoid: period === null && isVoided(subscription, sold),
    stop,
    processorPriceId: item.price.id,
    metadata: subscription.metadata,
  };
}

/** A checkout session in our vocabulary. */
export function readCheckoutObject(session: Stripe.Checkout.Session): ProcessorCheckout {
  const status = CHECKOUT_STATUSES[session.status ?? ""];
  if (status === undefined) throw unreadable(`Checkout session ${session.id} has an unknown status`);
  return {
    id: session.id,
    // Complete with a bank debit that has not cleared: nothing is paid until `checkout.session.async_payment_succeeded`.
    status: status === "complete" && session.payment_status === "unpaid" ? "open" : status,
    url: session.url,
    expiresAt: session.expires_at * 1000,
    clientReferenceId: session.client_reference_id,
    subscriptionId: session.subscription === null ? null : idOf(session.subscription),
    customerId: session.customer === null ? null : idOf(session.customer),
    email: session.customer_details?.email ?? session.customer_email,
    name: session.customer_details?.name ?? null,
    metadata: session.metadata ?? {},
  };
}

/** The period in the metadata, if it counts. */
function periodOf(subscription: Stripe.Subscription, written: WrittenPeriod | null): WrittenPeriod | null {
  if (written === null) return null;
  return writtenStop(subscription) !== null || isMovedPeriod(subscription, written) ? written : null;
}

function hasTrialEnd({ trial_end }: Stripe.Subscription, written: WrittenPeriod | null): boolean {
  return written === null || written.isTrial || trial_end === null || trial_end * 1000 < written.end;
}

/** A stop by the publisher whose collection was resumed at the processor is to be ended here. */
function stopOf(subscription: Stripe.Subscription): ReadSubscription["stop"] {
  const stop = writtenStop(subscription);
  return stop?.reason === "paused" && subscription.pause_collection === null
    ? { ...stop, reason: "resumed" }
    : stop;
}

/**
 * Whether nothing is to be paid for the current period, because its invoice was voided or written off: while collection was paused, by a
 * hold, or by somebody at the processor. An overdue subscription stays so then, or becomes active.
 */
function isVoided({ status, items }: Stripe.Subscription, sold: Stripe.Invoice | null): boolean {
  const mayBe = status === "active" || OVERDUE.includes(status);
  if (!mayBe || (items.data[0]?.price.unit_amount ?? 0) === 0) return false;
  return sold !== null && WRITTEN_OFF.includes(sold.status);
}

function trialDaysOf({ metadata }: Stripe.Subscription): number | null {
  const { trialDays = "" } = metadata;
  return TRIAL_DAYS.test(trialDays) ? Number(trialDays) : null;
}

function latestInvoiceId({ latest_invoice: invoice }: Stripe.Subscription): string | null {
  return invoice === null ? null : idOf(invoice);
}

/**
 * A stop counts more than the processor's status, which the invoices that are void meanwhile change; a period that was moved is a
 * trial at the processor.
 */
function statusOf(subscription: Stripe.Subscription, period: WrittenPeriod | null): SubscriptionStatus {
  const status = STATUSES[subscription.status];
  if (status === undefined) throw unreadable(`Subscription ${subscription.id} has an unknown status`);
  const stop = writtenStop(subscription);
  if (stop !== null && PAUSABLE.includes(status) && !awaitsApproval(subscription)) {
    return stop.reason === "paused" ? "Paused" : "PastDue";
  }
  const isPaused = subscription.pause_collection !== null && !awaitsApproval(subscription);
  if (isPaused && PAUSABLE.includes(status)) return "Paused";
  return period !== null && !period.isTrial && status === "Trialing" ? "Active" : status;
}

function awaitsApproval({ metadata }: Stripe.Subscription): boolean {
  return metadata.awaitsApproval === AWAITS_APPROVAL.awaitsApproval;
}

function paidAmountOf(invoice: Stripe.Invoice | null): number | null {
  return invoice?.status === "paid" ? paidBy(invoice) : null;
}

/**
 * What a paid invoice has paid for its period. Not what was charged: that may have a balance of earlier invoices in it, or leave this one
 * to the balance. A credit above the price pays the whole period, and the rest of it is in the balance.
 */
export function paidBy({ total }: { readonly total: number }): number {
  return Math.max(0, total);
}

function person(customer: string | Stripe.Customer | Stripe.DeletedCustomer): {
  readonly email: string | null;
  readonly name: string | null;
} {
  if (typeof customer === "string" || customer.deleted === true) return { email: null, name: null };
  return { email: customer.email, name: customer.name ?? null };
}

/** The id of an object that may be expanded. */
export function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}

/** Stripe's times are in seconds. */
export function milliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}

/** The error for an answer that contradicts Stripe's own description. */
export function unreadable(reason: string): PaymentsError {
  return new PaymentsError("PROCESSOR_FAILED", `The payment processor's answer cannot be read: ${reason}.`);
}
