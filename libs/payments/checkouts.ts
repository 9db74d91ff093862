import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import type { Account } from "./accounts.ts";

/** A checkout to open; ids, times and amounts as in `Payments`. */
export interface CheckoutRequest {
  readonly account: Account;
  readonly workspaceId: string;
  readonly tierPriceId: string;
  readonly processorPriceId: string;
  /** A free price asks for no card. */
  readonly free: boolean;
  /** `approval` only keeps the card, until `startSubscription`. */
  readonly chargeAt: ChargeAt;
  /** Days before the first charge, 1..730; null for none. With `chargeAt` `approval` they begin with the approval. */
  readonly trialDays: number | null;
  /** Whether the page takes promotion codes. */
  readonly allowPromotionCodes: boolean;
  /** What the page says of the charge beside its button, at most 1,000 characters; nothing when absent. */
  readonly terms?: string | undefined;
  /** Fills in the page's email field, which then cannot be changed. */
  readonly email?: string | undefined;
  /** `{CHECKOUT_SESSION_ID}` in it becomes the processor's session id. */
  readonly successUrl: string;
  /** Without it the page has no link back. */
  readonly cancelUrl?: string | undefined;
  /** Returned as `clientReferenceId`; not shown to the advertiser. At most 200 characters. */
  readonly clientReferenceId: string;
  /** Returned on the session and on the subscription, with `workspaceId` and `tierPriceId`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey: string;
}

export interface StartedCheckout {
  readonly processorSessionId: string;
  readonly url: string;
  readonly expiresAt: number;
}

export interface ProcessorCheckout {
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
