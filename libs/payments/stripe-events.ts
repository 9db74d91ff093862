import type { Stripe } from "stripe";
import { z } from "zod";
import { PaymentsError } from "./errors.ts";
import type { EventSubject, PaymentsEvent } from "./payments.ts";
import { subscriptionOf } from "./stripe-money.ts";
import { idOf, readCheckoutObject } from "./stripe-vocabulary.ts";

/** The stored part of an event. A signature proves who sent it, not that it has the form of an event. */
const token = z.string().regex(/^[\x21-\x7e]{1,255}$/);
const storable = z.object({
  id: token,
  type: token,
  account: token.nullable(),
  // The years that a database and a Date can both hold.
  createdAt: z.number().min(0).max(8.64e15),
  subject: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("checkout"), checkout: z.object({ id: token }) }),
    z.object({ kind: z.literal("subscription"), subscriptionId: token }),
    z.object({ kind: z.literal("invoice"), invoiceId: token, subscriptionId: token.nullable() }),
    z.object({ kind: z.literal("charge"), chargeId: token }),
    z.object({ kind: z.literal("account"), accountId: token }),
    z.object({ kind: z.literal("clock") }),
    z.object({ kind: z.literal("other") }),
  ]),
});

/** An event in our vocabulary; those that we ignore have the subject `other`. Throws `BAD_EVENT`. */
export function readEvent(event: Stripe.Event): PaymentsEvent {
  try {
    const read = translate(event);
    storable.parse(read);
    return read;
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    throw new PaymentsError("BAD_EVENT", `The webhook is signed, but cannot be read as an event: ${reason}.`);
  }
}

function translate(event: Stripe.Event): PaymentsEvent {
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
    case "test_helpers.test_clock.ready":
      return { kind: "clock" };
    default:
      return { kind: "other" };
  }
}
