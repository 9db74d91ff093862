import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Lengths after the prefix, as Stripe's are. A checkout session's id is a secret: 58 characters are 345 random bits. */
const LENGTHS = {
  acct: 16,
  bps: 24,
  ch: 24,
  cs_test: 58,
  cus: 14,
  di: 24,
  du: 24,
  evt: 24,
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

/** A new id that looks like Stripe's. */
export function newStripeId(prefix: keyof typeof LENGTHS): string {
  return `${prefix}_${randomText(LENGTHS[prefix], ALPHABET)}`;
}

/** What the numbers of a customer's invoices begin with. */
export function newInvoicePrefix(): string {
  return randomText(8, ALPHABET.slice(0, 36));
}

/** A code for a coupon or a promotion that was given none. */
export function newCode(): string {
  return randomText(8, ALPHABET.slice(0, 36));
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
