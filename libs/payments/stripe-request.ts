import type { Stripe } from "stripe";
import type { Account } from "./accounts.ts";

/** The version of Stripe's API that the adapter requests and the sandbox speaks; it moves with the SDK. */
export const API_VERSION = "2026-10-28.endive";

/** The options of a read in an account. */
export function inAccount(account: Account): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}

/** The options of a write in an account. */
export function writeIn(account: Account, idempotencyKey: string): Stripe.RequestOptions {
  return { ...inAccount(account), idempotencyKey };
}

/** The key of a write that is a new intent each time: only the SDK's own retries share it. */
export function newIntent(name: string): string {
  return `${name}-${crypto.randomUUID()}`;
}
