import type { Stripe } from "stripe";
import { hasEnded, isOverdue } from "#libs/domain/subscription.ts";
import type { Account, Cancellation, Payments, ProcessorSubscription, Write } from "./payments.ts";
import { answered, callStripe, eachOf, isMissing, isRefusal } from "./stripe-errors.ts";
import { inAccount, writeIn } from "./stripe-request.ts";
import { APPROVED, AWAITS_APPROVAL, readSubscriptionObject } from "./stripe-vocabulary.ts";

/** The parts of a subscription that Stripe sends only on request. */
const WHOLE = ["customer", "latest_invoice"];

type SubscriptionCalls = Pick<
  Payments,
  | "readSubscription"
  | "listSubscriptions"
  | "pauseSubscription"
  | "resumeSubscription"
  | "holdSubscription"
  | "startSubscription"
  | "cancelSubscription"
>;

/** Reads and changes subscriptions. */
export function subscriptionCalls(stripe: Stripe): SubscriptionCalls {
  async function whole(subscription: Stripe.Subscription, account: Account): Promise<ProcessorSubscription> {
    return await withFailure(readSubscriptionObject(answered("subscription", subscription)), account);
  }

  async function withFailure(
    subscription: Omit<ProcessorSubscription, "renewalFailedAt">,
    account: Account,
  ): Promise<ProcessorSubscription> {
    const isLate = isOverdue(subscription.status);
    return {
      ...subscription,
      renewalFailedAt: isLate ? await renewalFailedAt(subscription.id, account) : null,
    };
  }

  /** An invoice that collects by itself is attempted as it is finalized. */
  async function renewalFailedAt(subscription: string, account: Account): Promise<number | null> {
    const invoices = (status: "open" | "paid") =>
      eachOf(
        (page) => stripe.invoices.list({ ...page, subscription, status }, inAccount(account)),
        ({ attempt_count: attempts, amount_paid: amount, status_transitions: { finalized_at: at } }) =>
          (status === "open" ? attempts : amount) > 0 ? (at ?? 0) * 1000 : null,
      );
    const failed: number[] = [];
    for await (const at of invoices("open")) failed.push(at);
    if (failed.length === 0) return null;
    for await (const _paid of invoices("paid")) return Math.min(...failed);
    return null;
  }

  async function read(id: string, account: Account): Promise<ProcessorSubscription> {
    return await whole(
      await stripe.subscriptions.retrieve(id, { expand: WHOLE }, inAccount(account)),
      account,
    );
  }

  async function update(
    id: string,
    change: Stripe.SubscriptionUpdateParams,
    { account, idempotencyKey }: Write,
  ): Promise<ProcessorSubscription> {
    const params = { ...change, expand: WHOLE };
    const changed = await stripe.subscriptions.update(id, params, writeIn(account, idempotencyKey));
    return await whole(changed, account);
  }

  /** Stripe takes no idempotency key with a DELETE: repeating it cannot act twice. */
  async function end(id: string, { atPeriodEnd, comment, ...write }: Cancellation) {
    const details = comment === undefined ? {} : { cancellation_details: { comment } };
    if (atPeriodEnd) return await update(id, { ...details, cancel_at_period_end: true }, write);
    const params = { ...details, expand: WHOLE };
    return await whole(
      await stripe.subscriptions.cancel(id, params, inAccount(write.account)),
      write.account,
    );
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
    async *listSubscriptions(account) {
      const expand = WHOLE.map((part) => `data.${part}`);
      const listed = eachOf(
        (page) => stripe.subscriptions.list({ ...page, expand }, inAccount(account)),
        readSubscriptionObject,
      );
      for await (const subscription of listed) {
        yield await callStripe(() => withFailure(subscription, account));
      }
    },
    // A pause is of an approved ad, so it ends what held the charges until then.
    pauseSubscription: (id, write) =>
      callStripe(() => update(id, { pause_collection: { behavior: "void" }, metadata: APPROVED }, write)),
    resumeSubscription: (id, write) =>
      callStripe(() => update(id, { pause_collection: "", metadata: APPROVED }, write)),
    holdSubscription: (id, write) =>
      callStripe(() =>
        update(id, { pause_collection: { behavior: "void" }, metadata: AWAITS_APPROVAL }, write),
      ),
    startSubscription: (id, { trialEnd, ...write }) =>
      callStripe(() => {
        const end = trialEnd === null ? ("now" as const) : Math.ceil(trialEnd / 1000);
        // The advertiser is not there to confirm the charge.
        return update(id, { trial_end: end, metadata: APPROVED, off_session: true }, write);
      }),
    cancelSubscription: (id, cancellation) => callStripe(() => endOnce(id, cancellation)),
  };
}
