import type { Stripe } from "stripe";
import { hasEnded } from "#libs/domain/subscription.ts";
import type { Account, Cancellation, Payments, ProcessorSubscription, Write } from "./payments.ts";
import { answered, callStripe, eachOf, isMissing, isRefusal } from "./stripe-errors.ts";
import { inAccount, writeIn } from "./stripe-request.ts";
import { readSubscriptionObject } from "./stripe-vocabulary.ts";

/** The parts of a subscription that Stripe sends only on request. */
const WHOLE = ["customer", "latest_invoice"];

type SubscriptionCalls = Pick<
  Payments,
  "readSubscription" | "listSubscriptions" | "pauseSubscription" | "resumeSubscription" | "cancelSubscription"
>;

/** Reads and changes subscriptions. */
export function subscriptionCalls(stripe: Stripe): SubscriptionCalls {
  async function read(id: string, account: Account): Promise<ProcessorSubscription> {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: WHOLE }, inAccount(account));
    return whole(subscription);
  }

  async function update(
    id: string,
    change: Stripe.SubscriptionUpdateParams,
    { account, idempotencyKey }: Write,
  ): Promise<ProcessorSubscription> {
    const params = { ...change, expand: WHOLE };
    return whole(await stripe.subscriptions.update(id, params, writeIn(account, idempotencyKey)));
  }

  /** Stripe takes no idempotency key with a DELETE: repeating it cannot act twice. */
  async function end(id: string, { atPeriodEnd, comment, ...write }: Cancellation) {
    const details = comment === undefined ? {} : { cancellation_details: { comment } };
    if (atPeriodEnd) return await update(id, { ...details, cancel_at_period_end: true }, write);
    const params = { ...details, expand: WHOLE };
    return whole(await stripe.subscriptions.cancel(id, params, inAccount(write.account)));
  }

  /** Stripe rejects the end of an ended subscription, and a retry may follow a call whose answer was lost. */
  async function endOnce(id: string, cancellation: Cancellation): Promise<ProcessorSubscription> {
    try {
      return await end(id, cancellation);
    } catch (error) {
      if (!isMissing(error) && !isRefusal(error)) throw error;
      const now = await read(id, cancellation.account);
      if (hasEnded(now.status)) return now;
      throw error;
    }
  }

  return {
    readSubscription: (id, account) => callStripe(() => read(id, account)),
    listSubscriptions: (account) =>
      eachOf(
        (page) =>
          stripe.subscriptions.list(
            { ...page, expand: WHOLE.map((part) => `data.${part}`) },
            inAccount(account),
          ),
        readSubscriptionObject,
      ),
    pauseSubscription: (id, write) =>
      callStripe(() => update(id, { pause_collection: { behavior: "void" } }, write)),
    resumeSubscription: (id, write) => callStripe(() => update(id, { pause_collection: "" }, write)),
    cancelSubscription: (id, cancellation) => callStripe(() => endOnce(id, cancellation)),
  };
}

function whole(subscription: Stripe.Subscription): ProcessorSubscription {
  return readSubscriptionObject(answered("subscription", subscription));
}
