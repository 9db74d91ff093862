import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Lengths after the prefix, as at Stripe. A checkout session's id is a secret: 58 characters are 345 random bits. */
const LENGTHS = {
  acct: 16,
  bps: 24,
  ch: 24,
  cs_test: 58,
  cus: 14,
  di: 24,
  du: 24,
  evt: 24,
  ii: 24,
  il: 24,
  in: 24,
  inpay: 24,
  onboarding: 32,
  pi: 24,
  pm: 24,
  price: 24,
  prod: 14,
  promo: 24,
  re: 24,
  req: 14,
  si: 14,
  sub: 24,
} as const;

/** A new id in Stripe's form. */
export function newStripeId(prefix: keyof typeof LENGTHS): string {
  return `${prefix}_${randomText(LENGTHS[prefix], ALPHABET)}`;
}

/** The first part of the numbers of a customer's invoices. */
export function newInvoicePrefix(): string {
  return randomText(8, ALPHABET.slice(0, 36));
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
