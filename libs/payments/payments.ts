import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { ProviderCharge, ProviderInvoice } from "./money.ts";

/**
 * Money at a payment processor. Ids named `provider…` and the ids of what is returned are the processor's; all times
 * are milliseconds since the epoch, all amounts are in the smallest currency unit. Every call may throw `PaymentsError`.
 *
 * `account` is the connected account that holds the object (`acct_…`), null for the platform's own. What was made in
 * one account is found in no other.
 *
 * An idempotency key names one intent: the same key again repeats the first answer for a day instead of doing the
 * thing twice, so a new intent (a second pause after a resume) needs a new key.
 */
export interface Payments {
  /** The processor's product and price for a tier price, made at the first call and found at every later one. */
  ensurePrice(request: PriceRequest): Promise<ProviderPrice>;
  /** Takes a price off sale, or with `active` brings it back; who has bought it keeps it. Throws `NOT_FOUND`. */
  archivePrice(providerPriceId: string, archival: Archival): Promise<void>;
  /** The same for a product, and gives it the name. Its prices keep their own word. Throws `NOT_FOUND`. */
  archiveProduct(providerProductId: string, archival: ProductArchival): Promise<void>;

  /** Opens a hosted page where an advertiser subscribes to a price. It expires after a day. */
  createCheckoutSession(request: CheckoutRequest): Promise<StartedCheckout>;
  /** Throws `NOT_FOUND`. */
  readCheckoutSession(providerSessionId: string, account: Account): Promise<ProviderCheckout>;
  /** Ends a session, so that nobody can pay in it any more; one that was paid stays complete. Throws `NOT_FOUND`. */
  expireCheckoutSession(providerSessionId: string, account: Account): Promise<ProviderCheckout>;

  /** The subscription as it is now, with its customer and what the latest invoice charged. Throws `NOT_FOUND`. */
  readSubscription(providerSubscriptionId: string, account: Account): Promise<ProviderSubscription>;
  /** Every subscription of an account that has not been canceled, newest first. */
  listSubscriptions(account: Account): AsyncIterable<ProviderSubscription>;
  /** Stops charging: invoices are voided while it lasts. */
  pauseSubscription(providerSubscriptionId: string, write: Write): Promise<ProviderSubscription>;
  /** Charges again, from the next period on. */
  resumeSubscription(providerSubscriptionId: string, write: Write): Promise<ProviderSubscription>;
  /** Ends the subscription, now or with the period it has paid for; repeating it changes nothing. */
  cancelSubscription(
    providerSubscriptionId: string,
    cancellation: Cancellation,
  ): Promise<ProviderSubscription>;
  /** A short-lived address where the customer manages cards, invoices and subscription. */
  portalLink(request: PortalRequest): Promise<string>;

  /** Throws `NOT_FOUND`. */
  readInvoice(providerInvoiceId: string, account: Account): Promise<ProviderInvoice>;
  /** The invoices of subscriptions in an account that were made at `since` or later, newest first. */
  listInvoices(request: {
    readonly account: Account;
    readonly since: number;
  }): AsyncIterable<ProviderInvoice>;
  /** A charge with the invoice it paid and everything that was given back of it. Throws `NOT_FOUND`. */
  readCharge(providerChargeId: string, account: Account): Promise<ProviderCharge>;

  /** Makes a connected account for a workspace; its owner has to be sent to `onboardingLink` next. */
  createAccount(request: AccountRequest): Promise<{ readonly accountId: string }>;
  /** A short-lived address, good for one visit, where the account's owner says who they are. */
  onboardingLink(
    accountId: string,
    ways: { readonly refreshUrl: string; readonly returnUrl: string },
  ): Promise<string>;
  /** Throws `NOT_FOUND`, also for an account that has disconnected from the platform. */
  readAccount(accountId: string): Promise<ProviderAccount>;

  /**
   * Checks the signature over the raw body and reads the event. Throws `BAD_SIGNATURE`, also for a signature that is
   * older than five minutes, and `PROCESSOR_FAILED` for an event that the processor signed and we do not understand.
   */
  parseWebhook(rawBody: Buffer, signature: string | undefined): PaymentsEvent;
}

/** A connected account, or null for the platform's own. */
export type Account = string | null;

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

export interface ProviderPrice {
  readonly providerProductId: string;
  readonly providerPriceId: string;
}

export interface CheckoutRequest {
  readonly account: Account;
  readonly workspaceId: string;
  readonly tierPriceId: string;
  readonly providerPriceId: string;
  /** A free price asks for no card. */
  readonly free: boolean;
  /** Days before the first charge, 1..730; null for none. */
  readonly trialDays: number | null;
  /** Whether the page takes promotion codes. */
  readonly allowPromotionCodes: boolean;
  /** Fills in the page's e-mail field, which then cannot be changed. */
  readonly email?: string | undefined;
  /** `{CHECKOUT_SESSION_ID}` in it becomes the processor's session id. */
  readonly successUrl: string;
  /** Without it the page has no way back. */
  readonly cancelUrl?: string | undefined;
  /** Comes back as `clientReferenceId`; not shown to the advertiser. At most 200 characters. */
  readonly clientReferenceId: string;
  /** Comes back on the session and on the subscription, beside `workspaceId` and `tierPriceId`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey: string;
}

export interface StartedCheckout {
  readonly providerSessionId: string;
  readonly url: string;
  readonly expiresAt: number;
}

export interface ProviderCheckout {
  readonly id: string;
  readonly status: CheckoutStatus;
  /** Null once the session is no longer open. */
  readonly url: string | null;
  readonly expiresAt: number;
  readonly clientReferenceId: string | null;
  /** Null until complete, as are the customer's details. */
  readonly subscriptionId: string | null;
  readonly customerId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly status: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly canceledAt: number | null;
  /** The processor's words, for example `cancellation_requested`, `too_expensive`. */
  readonly cancellationReason: string | null;
  readonly cancellationFeedback: string | null;
  readonly cancellationComment: string | null;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
  readonly trialEnd: number | null;
  /** What the latest invoice charged after discounts; null when it is unpaid, voided or unknown. */
  readonly paidAmount: number | null;
  readonly providerPriceId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Write {
  readonly account: Account;
  readonly idempotencyKey: string;
}

export interface Archival extends Write {
  /** False archives, true brings back. */
  readonly active: boolean;
}

export interface ProductArchival extends Archival {
  /** What the checkout page calls it; unchanged when absent. */
  readonly name?: string | undefined;
}

export interface Cancellation extends Write {
  readonly atPeriodEnd: boolean;
  /** Kept with the subscription. */
  readonly comment?: string | undefined;
}

export interface PortalRequest {
  readonly account: Account;
  readonly providerCustomerId: string;
  readonly returnUrl: string;
}

export interface AccountRequest {
  readonly workspaceId: string;
  /** Fills in the first page of the onboarding. */
  readonly email?: string | undefined;
  readonly idempotencyKey: string;
}

/** How far a connected account has come. */
export interface ProviderAccount {
  readonly id: string;
  /** Whether advertisers can be charged. */
  readonly chargesEnabled: boolean;
  /** Whether the money goes on to the owner's bank. */
  readonly payoutsEnabled: boolean;
  /** Whether the owner has answered everything that was asked at first. */
  readonly detailsSubmitted: boolean;
}

/** Something that happened at the processor; may arrive late, twice and out of order, so it names what to read. */
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

/**
 * What the event is about. A checkout comes whole, since a session ends only once; of everything else the id, since the
 * state to go by is the one that the processor gives now.
 */
export type EventSubject =
  | { readonly kind: "checkout"; readonly checkout: ProviderCheckout }
  | { readonly kind: "subscription"; readonly subscriptionId: string }
  | { readonly kind: "invoice"; readonly invoiceId: string; readonly subscriptionId: string | null }
  /** Money that was given back or is disputed. */
  | { readonly kind: "charge"; readonly chargeId: string }
  /** A connected account was changed, or has disconnected from the platform. */
  | { readonly kind: "account"; readonly accountId: string }
  | { readonly kind: "other" };
