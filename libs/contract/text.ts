import { z } from "zod";
import { isWebUrl, LONGEST_URL } from "#libs/domain/web-url.ts";

/** No control characters but white space, no lone surrogates: JSON can carry both, a Postgres text neither. */
const STORABLE = /^(?:[^\p{Cc}\p{Cs}]|\s)*$/u;
const NOT_STORABLE = "Must not contain control characters or broken Unicode.";

/** A text that can be stored, of at most `max` characters. */
export function text(max: number) {
  return z.string().max(max).regex(STORABLE, NOT_STORABLE);
}

/** A text that is trimmed first and then has `min` to `max` characters. */
export function trimmedText(min: number, max: number) {
  return z.string().trim().min(min).max(max).regex(STORABLE, NOT_STORABLE);
}

/** A whole number that JSON carries exactly. */
export const safeInteger = z.int();

/** An address of the web. Anything but http and https (`javascript:`, `data:`) is refused. */
export const webUrl = text(LONGEST_URL).refine(isWebUrl, "Must be an http or https address.");

/** An e-mail address, kept in lower case so that one person is one advertiser. */
export const email = text(254)
  .trim()
  .toLowerCase()
  .pipe(z.email("Must be an e-mail address."))
  .meta({ examples: ["ads@example.com"] });

const CURRENCIES = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

/** An ISO 4217 code in lower case. */
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/, "Must be an ISO 4217 code in lower case.")
  .refine((code) => CURRENCIES.has(code), "Must be an ISO 4217 code in lower case.")
  .meta({ description: "ISO 4217 code in lower case.", examples: ["usd"] });

/** An amount of money in the currency's smallest unit. */
export const amount = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: "Smallest currency unit; 0 is free.", examples: [4900] });

/** An instant in UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "ISO 8601, UTC, milliseconds.", examples: ["2026-11-21T09:30:00.000Z"] });

/** An id in an answer, or in a path or body: any text, as a malformed id is one that does not exist. */
export function id(example: string) {
  return z.string().meta({ examples: [example] });
}
