import type { Stripe } from "stripe";
import type { Account, Cancellation, Payments, ProviderSubscription, Write } from "./payments.ts";
import { answered, callStripe, eachOf, isMissing, isRefusal } from "./stripe-errors.ts";
import { inAccount, writeIn } from "./stripe-request.ts";
import { readSubscriptionObject } from "./stripe-vocabulary.ts";

/** The parts of a subscription that come only when asked for. */
const WHOLE = ["customer", "latest_invoice"];

type SubscriptionCalls = Pick<
  Payments,
  "readSubscription" | "listSubscriptions" | "pauseSubscription" | "resumeSubscription" | "cancelSubscription"
>;

/** Reading and changing subscriptions. */
export function subscriptionCalls(stripe: Stripe): SubscriptionCalls {
  async function read(id: string, account: Account): Promise<ProviderSubscription> {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: WHOLE }, inAccount(account));
    return whole(subscription);
  }

  async function update(
    id: string,
    change: Stripe.SubscriptionUpdateParams,
    { account, idempotencyKey }: Write,
  ): Promise<ProviderSubscription> {
    const params = { ...change, expand: WHOLE };
    return whole(await stripe.subscriptions.update(id, params, writeIn(account, idempotencyKey)));
  }

  /** Stripe takes no idempotency key with a DELETE: what it makes cannot be made twice. */
  async function end(id: string, { atPeriodEnd, comment, ...write }: Cancellation) {
    const details = comment === undefined ? {} : { cancellation_details: { comment } };
    if (atPeriodEnd) return await update(id, { ...details, cancel_at_period_end: true }, write);
    const params = { ...details, expand: WHOLE };
    return whole(await stripe.subscriptions.cancel(id, params, inAccount(write.account)));
  }

  /** Stripe refuses to end what has ended, and a repeated request may come after one that went through unseen. */
  async function endOnce(id: string, cancellation: Cancellation): Promise<ProviderSubscription> {
    try {
      return await end(id, cancellation);
    } catch (error) {
      if (!isMissing(error) && !isRefusal(error)) throw error;
      const now = await read(id, cancellation.account);
      if (now.status === "Canceled" || now.status === "IncompleteExpired") return now;
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

function whole(subscription: Stripe.Subscription): ProviderSubscription {
  return readSubscriptionObject(answered("subscription", subscription));
}
