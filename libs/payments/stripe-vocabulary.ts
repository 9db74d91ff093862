import type { Stripe } from "stripe";
import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import { PaymentsError } from "./errors.ts";
import type { ProcessorCheckout, ProcessorSubscription } from "./payments.ts";

/** Metadata of a subscription that is held, or waits for its start; the second form takes it away. */
export const AWAITS_APPROVAL = { awaitsApproval: "yes" } as const;
export const APPROVED = { awaitsApproval: "" } as const;
/** Metadata of a subscription that was sold with `chargeAt` `approval`. */
export const CHARGED_AT_APPROVAL = { chargeAt: "approval" } as const;

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

/**
 * A subscription in our vocabulary, except for what its other invoices say; `customer` and `latest_invoice` are known only
 * when expanded.
 */
export function readSubscriptionObject(
  subscription: Stripe.Subscription,
): Omit<ProcessorSubscription, "renewalFailedAt"> {
  const item = subscription.items.data[0];
  if (item === undefined) throw unreadable(`Subscription ${subscription.id} has no item`);
  const customer = person(subscription.customer);
  const details = subscription.cancellation_details;
  return {
    id: subscription.id,
    createdAt: subscription.created * 1000,
    customerId: idOf(subscription.customer),
    email: customer.email,
    name: customer.name,
    status: statusOf(subscription),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: milliseconds(subscription.cancel_at),
    canceledAt: milliseconds(subscription.canceled_at),
    endedAt: milliseconds(subscription.ended_at),
    cancellationReason: details?.reason ?? null,
    cancellationFeedback: details?.feedback ?? null,
    cancellationComment: details?.comment ?? null,
    currentPeriodStart: milliseconds(item.current_period_start),
    currentPeriodEnd: milliseconds(item.current_period_end),
    trialEnd: milliseconds(subscription.trial_end),
    chargeAt: subscription.metadata.chargeAt === CHARGED_AT_APPROVAL.chargeAt ? "approval" : "purchase",
    awaitsApproval: awaitsApproval(subscription),
    paidAmount: paidAmountOf(subscription.latest_invoice),
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
    status,
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

function statusOf(subscription: Stripe.Subscription): SubscriptionStatus {
  const status = STATUSES[subscription.status];
  if (status === undefined) throw unreadable(`Subscription ${subscription.id} has an unknown status`);
  const isPaused = subscription.pause_collection !== null && !awaitsApproval(subscription);
  return isPaused && PAUSABLE.includes(status) ? "Paused" : status;
}

function awaitsApproval({ metadata }: Stripe.Subscription): boolean {
  return metadata.awaitsApproval === AWAITS_APPROVAL.awaitsApproval;
}

function paidAmountOf(invoice: string | Stripe.Invoice | null): number | null {
  if (invoice === null || typeof invoice === "string") return null;
  return invoice.status === "paid" ? invoice.amount_paid : null;
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
