import type { Stripe } from "stripe";
import { periodEnd } from "#libs/domain/period-end.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import type { Account } from "./accounts.ts";
import { PaymentsError } from "./errors.ts";
import type { Cancellation, Payments, SubscriptionStart, Write } from "./payments.ts";
import { answered, callStripe, eachOf, isMissing, isRefusal } from "./stripe-errors.ts";
import { endAfterStop, endMetadata } from "./stripe-fixed-end.ts";
import { paidSinceCheckout, wholeSubscription } from "./stripe-owed.ts";
import { CONTINUED, movedMetadata, NO_STOP, stopMetadata, type WrittenPeriod } from "./stripe-periods.ts";
import { inAccount, writeIn } from "./stripe-request.ts";
import { APPROVED, AWAITS_APPROVAL, readSubscriptionObject, unreadable } from "./stripe-vocabulary.ts";
import type { FoundSubscription, ProcessorSubscription } from "./subscriptions.ts";

/** The parts of a subscription that Stripe sends only on request. */
const WHOLE = ["customer", "latest_invoice"];

type SubscriptionCalls = Pick<
  Payments,
  | "readSubscription"
  | "findSubscription"
  | "listSubscriptions"
  | "stopSubscription"
  | "continueSubscription"
  | "releaseSubscription"
  | "holdSubscription"
  | "startSubscription"
  | "cancelSubscription"
>;

/** Reads and changes subscriptions. `now` is the processor's clock. */
export function subscriptionCalls(stripe: Stripe, now: () => number): SubscriptionCalls {
  async function whole(subscription: Stripe.Subscription, account: Account): Promise<ProcessorSubscription> {
    return await wholeSubscription(stripe, answered("subscription", subscription), account);
  }

  async function find(id: string, account: Account): Promise<FoundSubscription> {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: WHOLE }, inAccount(account));
    return found(answered("subscription", subscription), account);
  }

  function found(subscription: Stripe.Subscription, account: Account): FoundSubscription {
    const { id, metadata } = subscription;
    return { id, metadata, whole: () => callStripe(() => whole(subscription, account)) };
  }

  async function read(id: string, account: Account): Promise<ProcessorSubscription> {
    return await (await find(id, account)).whole();
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

  /**
   * What is invoiced while collection is paused is voided, so that ends first. The metadata changes with the second call: if we
   * end between the two, the period is still seen to be void.
   */
  async function begin(
    id: string,
    { trialEnd, seen, ...write }: SubscriptionStart,
  ): Promise<ProcessorSubscription> {
    const seenNow = await stripe.subscriptions.retrieve(id, {}, inAccount(write.account));
    const { status, pause_collection } = answered("subscription", seenNow);
    const before = readSubscriptionObject(seenNow, null);
    if (before.latestInvoiceId !== seen.latestInvoiceId || before.cancelAt !== seen.cancelAt) {
      throw new PaymentsError(
        "PROCESSOR_FAILED",
        "It was invoiced, or its end was changed, meanwhile.",
        true,
      );
    }
    if (pause_collection !== null) {
      const first = { ...write, idempotencyKey: `${write.idempotencyKey}-collect` };
      await update(id, { pause_collection: "" }, first);
    }
    // A fixed end within the new period would cut what is invoiced for it, so it ends with that instead.
    const isWithin = before.cancelAt !== null && before.cancelAt < (trialEnd ?? endOfBegun(seenNow));
    const ending = isWithin ? { cancel_at_period_end: true } : {};
    // The advertiser is not there to confirm the charge.
    const common: Stripe.SubscriptionUpdateParams = {
      ...ending,
      metadata: { ...APPROVED, ...NO_STOP },
      off_session: true,
    };
    const end = trialEnd === null ? ("now" as const) : Math.ceil(trialEnd / 1000);
    const isCharged = trialEnd === null && status !== "trialing";
    const begins = isCharged ? { billing_cycle_anchor: { type: "now" as const } } : { trial_end: end };
    const begun = await update(id, { ...common, ...begins, proration_behavior: "none" }, write);
    const isBehind = before.cancelAt !== null && before.cancelAt >= (begun.currentPeriodEnd ?? 0);
    return await endingWithPeriod(isBehind ? before.cancelAt : null, begun, write);
  }

  /** When a period ends that begins now. */
  function endOfBegun({ items }: Stripe.Subscription): number {
    const recurring = items.data[0]?.price.recurring ?? null;
    return recurring === null ? 0 : periodEnd(Math.floor(now() / 1000), recurring) * 1000;
  }

  /**
   * A cancellation that is not `expected` came between reading and writing, or is for an end that the period had before: it moves to the
   * end of the period.
   */
  async function endingWithPeriod(
    expected: number | null,
    changed: ProcessorSubscription,
    write: Write,
  ): Promise<ProcessorSubscription> {
    const { id, cancelAt, currentPeriodEnd: end } = changed;
    if (cancelAt === null || end === null || cancelAt === end || cancelAt === expected) return changed;
    return await update(
      id,
      { cancel_at: end / 1000 },
      { ...write, idempotencyKey: `${write.idempotencyKey}-end` },
    );
  }

  /** Metadata for a stop of a period from its beginning. */
  async function stopFromItsStart(id: string, period: WrittenPeriod, account: Account) {
    const before = await stripe.subscriptions.retrieve(id, {}, inAccount(account));
    return {
      ...stopMetadata({ reason: "paused", at: period.start }, period),
      ...endMetadata(before, period),
    };
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
    findSubscription: (id, account) => callStripe(() => find(id, account)),
    listSubscriptions(account) {
      const expand = WHOLE.map((part) => `data.${part}`);
      return eachOf(
        (page) => stripe.subscriptions.list({ ...page, expand }, inAccount(account)),
        (subscription) => found(subscription, account),
      );
    },
    // A stop is of an approved ad, so it ends what held the charges until then.
    stopSubscription: (id, { reason, at, ...write }) =>
      callStripe(async () => {
        const account = inAccount(write.account);
        const before = await stripe.subscriptions.retrieve(id, { expand: WHOLE }, account);
        const current = await whole(before, write.account);
        const stop = { reason, at: current.stop?.at ?? at };
        const period = periodOf(current);
        const metadata = { ...APPROVED, ...stopMetadata(stop, period), ...endMetadata(before, period) };
        // Somebody who paused it at the processor may have said there until when.
        const resumesAt = reason === "paused" ? (before.pause_collection?.resumes_at ?? null) : null;
        const until = resumesAt === null ? {} : { resumes_at: resumesAt };
        return await update(id, { pause_collection: { behavior: "void", ...until }, metadata }, write);
      }),
    continueSubscription: (id, { periodEnd, ...write }) =>
      callStripe(async () => {
        const account = inAccount(write.account);
        const before = await stripe.subscriptions.retrieve(id, { expand: WHOLE }, account);
        const current = await whole(before, write.account);
        const period = periodOf(current);
        const moved = { ...period, start: period.start + periodEnd - period.end, end: periodEnd };
        const metadata = { ...APPROVED, ...movedMetadata(moved) };
        const end = periodEnd / 1000;
        const plannedEnd = endAfterStop(before, (periodEnd - period.end) / 1000) ?? end;
        const isFixed = before.cancel_at !== null && !before.cancel_at_period_end;
        const cancelAt = isFixed ? { cancel_at: plannedEnd } : {};
        const trialEnd = { trial_end: end, proration_behavior: "none", ...cancelAt } as const;
        const continued = await update(id, { pause_collection: "", ...trialEnd, metadata }, write);
        return await endingWithPeriod(plannedEnd * 1000, continued, write);
      }),
    releaseSubscription: (id, write) =>
      callStripe(() => update(id, { pause_collection: "", metadata: { ...APPROVED, ...CONTINUED } }, write)),
    holdSubscription: (id, write) =>
      callStripe(async () => {
        // Paid time begins with the approval: what was charged before the hold stands still from its beginning.
        const paid = await paidSinceCheckout(stripe, id, write.account);
        const stop = paid === null ? {} : await stopFromItsStart(id, paid, write.account);
        const metadata = { ...AWAITS_APPROVAL, ...stop };
        return await update(id, { pause_collection: { behavior: "void" }, metadata }, write);
      }),
    startSubscription: (id, start) => callStripe(() => begin(id, start)),
    cancelSubscription: (id, cancellation) => callStripe(() => endOnce(id, cancellation)),
  };
}

/** The current period of a subscription, to be written. */
function periodOf(current: ProcessorSubscription): WrittenPeriod {
  const { id, currentPeriodStart: start, currentPeriodEnd: end, periodInvoiceId, paidAmount } = current;
  const { isTrialPeriod: isTrial } = current;
  if (start === null || end === null) throw unreadable(`Subscription ${id} has no period`);
  return { start, end, invoiceId: periodInvoiceId, paidAmount, isTrial };
}
