import type { Stripe } from "stripe";
import type { EventSubject, PaymentsEvent } from "./payments.ts";
import { subscriptionOf } from "./stripe-money.ts";
import { idOf, readCheckoutObject } from "./stripe-vocabulary.ts";

/** An event in our vocabulary; those that we ignore have the subject `other`. */
export function readEventObject(event: Stripe.Event): PaymentsEvent {
  return {
    id: event.id,
    type: event.type,
    account: event.account ?? null,
    createdAt: event.created * 1000,
    subject: subjectOf(event),
  };
}

function subjectOf(event: Stripe.Event): EventSubject {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired":
      return { kind: "checkout", checkout: readCheckoutObject(event.data.object) };
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
    case "customer.subscription.trial_will_end":
      return { kind: "subscription", subscriptionId: event.data.object.id };
    case "invoice.finalized":
    case "invoice.paid":
    case "invoice.payment_failed":
    case "invoice.payment_action_required":
    case "invoice.marked_uncollectible":
    case "invoice.voided":
      return {
        kind: "invoice",
        invoiceId: event.data.object.id,
        subscriptionId: subscriptionOf(event.data.object),
      };
    case "charge.refunded":
      return { kind: "charge", chargeId: event.data.object.id };
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
      return { kind: "charge", chargeId: idOf(event.data.object.charge) };
    case "refund.updated":
    case "refund.failed":
      return event.data.object.charge === null
        ? { kind: "other" }
        : { kind: "charge", chargeId: idOf(event.data.object.charge) };
    case "account.updated":
      return { kind: "account", accountId: event.data.object.id };
    case "account.application.deauthorized":
      return event.account === undefined ? { kind: "other" } : { kind: "account", accountId: event.account };
    default:
      return { kind: "other" };
  }
}
