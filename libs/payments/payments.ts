import type { Stop, WrittenStopReason } from "#libs/domain/charging.ts";
import type { RefundReason } from "#libs/domain/invoice.ts";
import type { Moment } from "#libs/domain/moment.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { Account, AccountRequest, ProcessorAccount } from "./accounts.ts";
import type { CheckoutRequest, ProcessorCheckout, StartedCheckout } from "./checkouts.ts";
import type { ProcessorCharge, ProcessorInvoice, ProcessorRefund, ProcessorReversal } from "./money.ts";
import type { FoundSubscription, ProcessorSubscription } from "./subscriptions.ts";

/**
 * Money at a payment processor. Ids named `processor…` and the ids of what is returned are the processor's; all times
 * are milliseconds since the epoch on the processor's clock, all amounts are in the smallest currency unit. Every call but
 * `moment` may throw `PaymentsError`.
 *
 * `account` is the connected account that holds the object (`acct_…`), null for the platform's own. An object of one
 * account is not found in another. Where the account is gone, every call in it throws `ACCOUNT_GONE`, which must last for a day to be
 * believed (`isLost`).
 *
 * An idempotency key names one intent: for a day, the same key repeats the first answer instead of acting twice. A new
 * intent (a second pause after a resume) needs a new key.
 */
export interface Payments {
  /** The moment that is `now` in real time, on both clocks. Asks nobody, so it may be called anywhere. */
  moment(now: number): Moment;

  /** The processor's product and price for a tier price, created by the first call and found by later ones. */
  ensurePrice(request: PriceRequest): Promise<ProcessorPrice>;
  /** Takes a price off sale, or with `active` puts it back; existing subscriptions keep it. Throws `NOT_FOUND`. */
  archivePrice(processorPriceId: string, archival: Archival): Promise<void>;
  /** The same for a product, and renames it. Its prices keep their own `active`. Throws `NOT_FOUND`. */
  archiveProduct(processorProductId: string, archival: ProductArchival): Promise<void>;

  /** Opens a hosted page where an advertiser subscribes to a price. It expires after a day. */
  createCheckoutSession(request: CheckoutRequest): Promise<StartedCheckout>;
  /** Throws `NOT_FOUND`. */
  readCheckoutSession(processorSessionId: string, account: Account): Promise<ProcessorCheckout>;
  /** The session in which a subscription was bought; null where there is none. */
  findCheckoutSession(processorSubscriptionId: string, account: Account): Promise<ProcessorCheckout | null>;
  /** Expires a session, so that it takes no payment any more; a paid one stays complete. Throws `NOT_FOUND`. */
  expireCheckoutSession(processorSessionId: string, account: Account): Promise<ProcessorCheckout>;

  /** The current subscription, with its customer and what was paid for its period. Throws `NOT_FOUND`. */
  readSubscription(processorSubscriptionId: string, account: Account): Promise<ProcessorSubscription>;
  /** The same in two steps. Throws `NOT_FOUND`. */
  findSubscription(processorSubscriptionId: string, account: Account): Promise<FoundSubscription>;
  /** Every subscription of an account that has not been canceled, newest first. */
  listSubscriptions(account: Account): AsyncIterable<FoundSubscription>;
  /**
   * Stops the time of the current period at `at`: nothing is charged until the subscription continues, and invoices of later
   * periods are voided. An open invoice of the period stays. Stopped already, it keeps its moment and its period, and only the
   * reason changes.
   */
  stopSubscription(processorSubscriptionId: string, stop: StopRequest): Promise<ProcessorSubscription>;
  /** Continues a stopped period, which now ends at `periodEnd`, in the future; what was planned for its end moves with it. */
  continueSubscription(
    processorSubscriptionId: string,
    continuation: Write & { readonly periodEnd: number },
  ): Promise<ProcessorSubscription>;
  /** Ends what `holdSubscription` or a pause at the processor began, and a stop: charges again from the next period. */
  releaseSubscription(processorSubscriptionId: string, write: Write): Promise<ProcessorSubscription>;
  /**
   * Holds the renewals of a subscription until its ad is approved: invoices are voided, and the status stays as it is.
   * The time of a first period runs on. That of renewals that were paid before the hold stands still, as in a stop.
   */
  holdSubscription(processorSubscriptionId: string, write: Write): Promise<ProcessorSubscription>;
  /**
   * Begins a period now, or with a trial before it, and charges it as it begins: for a subscription that was sold with `chargeAt`
   * `approval`, and for one whose period was voided or has ended. It is neither held nor stopped afterwards. A failed charge leaves it
   * past due. Throws a `PaymentsError` that can be retried if another period has begun, or the end was changed, since it was `seen`.
   */
  startSubscription(
    processorSubscriptionId: string,
    start: SubscriptionStart,
  ): Promise<ProcessorSubscription>;
  /** Ends the subscription, now or with the period that is paid for; repeating the call changes nothing. */
  cancelSubscription(
    processorSubscriptionId: string,
    cancellation: Cancellation,
  ): Promise<ProcessorSubscription>;
  /** A short-lived link where the customer manages cards, invoices and subscription. */
  portalLink(request: PortalRequest): Promise<string>;

  /** Throws `NOT_FOUND`. */
  readInvoice(processorInvoiceId: string, account: Account): Promise<ProcessorInvoice>;
  /** The invoices of an account's subscriptions, or of one, that were created at `since` or later, newest first; in `status`, if given. */
  listInvoices(request: {
    readonly account: Account;
    readonly since: number;
    readonly subscriptionId?: string | undefined;
    readonly status?: "draft" | "open" | "paid" | "uncollectible" | undefined;
  }): AsyncIterable<ProcessorInvoice>;
  /** Charges an invoice to the customer's card once, now; a draft is finalized. It stays open if the card is declined. */
  payInvoice(processorInvoiceId: string, write: Write): Promise<ProcessorInvoice>;
  /** Has the processor charge an open or draft invoice by itself, or stops that. A settled one stays as it is. */
  collectInvoice(
    processorInvoiceId: string,
    collection: Write & { readonly isCollected: boolean },
  ): Promise<ProcessorInvoice>;
  /** Voids an invoice, a draft too, so that it can never be paid. A settled one stays as it is. */
  voidInvoice(processorInvoiceId: string, write: Write): Promise<ProcessorInvoice>;
  /** An account's refunds, then its disputes, that were created at `since` or later, each newest first. */
  listReversals(request: {
    readonly account: Account;
    readonly since: number;
  }): AsyncIterable<ProcessorReversal>;
  /** A charge with the invoice it paid and its refunds. Throws `NOT_FOUND`. */
  readCharge(processorChargeId: string, account: Account): Promise<ProcessorCharge>;
  /** The charge that paid an invoice, as `readCharge` gives it; null for one that nothing was charged for. */
  readChargeOfInvoice(processorInvoiceId: string, account: Account): Promise<ProcessorCharge | null>;
  /**
   * Refunds part of a charge. Unlike other writes, a refund with the same idempotency key is made once for all time, and is
   * found again after a lost answer. Throws `REFUND_REFUSED`, `NOT_FOUND`.
   */
  refundCharge(processorChargeId: string, request: RefundRequest): Promise<ProcessorRefund>;

  /** Creates a connected account for a workspace; its owner then completes the onboarding at `onboardingLink`. */
  createAccount(request: AccountRequest): Promise<{ readonly accountId: string }>;
  /** A short-lived link for one visit, where the account's owner completes the onboarding. */
  onboardingLink(
    accountId: string,
    ways: { readonly refreshUrl: string; readonly returnUrl: string },
  ): Promise<string>;
  /** Throws `ACCOUNT_GONE`. */
  readAccount(accountId: string): Promise<ProcessorAccount>;

  /** Checks the signature, at most five minutes old, and reads the event. Throws `BAD_SIGNATURE`, `BAD_EVENT`. */
  parseWebhook(rawBody: Buffer, signature: string | undefined): PaymentsEvent;
}

export interface PriceRequest {
  readonly account: Account;
  readonly workspaceId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly tierPriceId: string;
  readonly interval: Interval;
  readonly intervalCount: number;
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
}

export interface ProcessorPrice {
  readonly processorProductId: string;
  readonly processorPriceId: string;
}

export interface SubscriptionStart extends Write {
  readonly trialEnd: number | null;
  /** The subscription as it was when the start was decided: if it was invoiced or canceled since, nothing begins. */
  readonly seen: Pick<ProcessorSubscription, "latestInvoiceId" | "cancelAt">;
}

export interface StopRequest extends Write, Pick<Stop, "at"> {
  readonly reason: WrittenStopReason;
}

export interface Write {
  readonly account: Account;
  readonly idempotencyKey: string;
}

export interface Archival extends Write {
  /** False archives, true restores. */
  readonly active: boolean;
}

export interface ProductArchival extends Archival {
  /** The name on the checkout page; unchanged when absent. */
  readonly name?: string | undefined;
}

export interface Cancellation extends Write {
  readonly atPeriodEnd: boolean;
  /** Kept with the subscription. */
  readonly comment?: string | undefined;
}

export interface RefundRequest extends Write {
  /** At most what is left of the charge. */
  readonly amount: number;
  readonly reason?: RefundReason | undefined;
  /** Kept with the refund. At most 500 characters. */
  readonly note?: string | undefined;
}

export interface PortalRequest {
  readonly account: Account;
  readonly processorCustomerId: string;
  readonly returnUrl: string;
}

/** A webhook event. It may arrive late, twice and out of order, so it names the object to read. */
export interface PaymentsEvent {
  /** The same in every delivery of one event. */
  readonly id: string;
  /** The processor's name for it, for example `customer.subscription.updated`. */
  readonly type: string;
  /** Where it happened. */
  readonly account: Account;
  readonly createdAt: number;
  readonly subject: EventSubject;
}

/** The object of an event: a checkout whole, since a session ends only once; others by id, to read their state. */
export type EventSubject =
  | { readonly kind: "checkout"; readonly checkout: ProcessorCheckout }
  | { readonly kind: "subscription"; readonly subscriptionId: string }
  | { readonly kind: "invoice"; readonly invoiceId: string; readonly subscriptionId: string | null }
  /** A charge was refunded or is disputed. */
  | { readonly kind: "charge"; readonly chargeId: string }
  /** A connected account changed, or disconnected from the platform. */
  | { readonly kind: "account"; readonly accountId: string }
  /** The processor's clock was moved on, as nobody does to Stripe's. */
  | { readonly kind: "clock" }
  | { readonly kind: "other" };
