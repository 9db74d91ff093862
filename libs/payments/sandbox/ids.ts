import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Lengths after the prefix, as Stripe's are. A checkout session's id is a secret: 58 characters are 345 random bits. */
const LENGTHS = {
  prod: 14,
  price: 24,
  cus: 14,
  cs_test: 58,
  sub: 24,
  si: 14,
  in: 24,
  il: 24,
  evt: 24,
  bps: 24,
  req: 14,
} as const;

/** A new id that looks like Stripe's. */
export function newStripeId(prefix: keyof typeof LENGTHS): string {
  const characters = Array.from({ length: LENGTHS[prefix] }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${prefix}_${characters.join("")}`;
}
