import type { Stripe } from "stripe";
import type { Account } from "./payments.ts";

/** The options of a read in an account. */
export function inAccount(account: Account): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}

/** The options of a write in an account. */
export function writeIn(account: Account, idempotencyKey: string): Stripe.RequestOptions {
  return { ...inAccount(account), idempotencyKey };
}

/** The key of a write that is an intent of its own each time: only the SDK's own retries share it. */
export function newIntent(what: string): string {
  return `${what}-${crypto.randomUUID()}`;
}
