import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { asMailAddress, EMAIL, LONGEST_EMAIL, MAIL_ADDRESS } from "#libs/domain/email-address.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { CURRENCIES } from "#libs/domain/money.ts";
import { LONGEST_ZONE_NAME, zoneNamed } from "#libs/domain/report-zone.ts";
import { countCharacters, isNoLongerThan, isStorable, isVisible } from "#libs/domain/storable-text.ts";
import { hasNoUserInfo, isOfPublicHost, isWebUrl, LONGEST_URL } from "#libs/domain/web-url.ts";
import { ANY, SEEN, SEEN_INK, WEB_ADDRESS } from "./expressions.ts";

/** For the interface description; zod's own `meta` would make a schema that has no pattern. */
interface About {
  readonly description?: string;
  readonly examples?: string[];
}

interface TextDescription extends About {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

const NOT_STORABLE = "Must not contain control characters or broken Unicode.";

/** A text that can be stored, of at most `max` characters (code points). */
export function text(max: number, about: About = {}) {
  return describedAs(storable(max), { maxLength: max, pattern: `^${ANY}*$`, ...about });
}

/** A text of at most `max` characters (code points) that keeps at least `min`, 1 or 2, when it is trimmed. */
export function trimmedText(min: 1 | 2, max: number, about: About = {}) {
  const schema = z
    .string()
    .trim()
    .refine((given) => isNoLongerThan(max, given), { message: atMost(max), abort: true })
    .refine(isStorable, { message: NOT_STORABLE, abort: true })
    .refine(isVisible, "Must not contain invisible characters or ones that change the direction of text.")
    .refine(
      (given) => countCharacters(given) >= min,
      `Must have at least ${min} character${min === 1 ? "" : "s"}.`,
    );
  const pattern =
    min === 1 ? `^${SEEN}*${SEEN_INK}${SEEN}*$` : `^${SEEN}*${SEEN_INK}${SEEN}*${SEEN_INK}${SEEN}*$`;
  return describedAs(schema, { minLength: min, maxLength: max, pattern, ...about });
}

/** A publisher's words to an advertiser about a decision. */
export const note = trimmedText(1, LONGEST.note, { examples: ["Please use fewer capitals."] });

function atMost(max: number): string {
  return `Must have at most ${max} characters.`;
}

function storable(max: number) {
  return z
    .string()
    .refine((given) => isNoLongerThan(max, given), { message: atMost(max), abort: true })
    .refine(isStorable, { message: NOT_STORABLE, abort: true });
}

/** Describes for readers of the interface what zod's own checks do not. */
function describedAs<T extends z.ZodType<string, string>>(schema: T, description: TextDescription): T {
  const plain: z.ZodType<string, string> = schema;
  JSON_SCHEMA_INPUT_REGISTRY.add(plain, description);
  return schema;
}

/** An address of the web. Anything but http and https (`javascript:`, `data:`) is refused. */
export const webUrl = describedAs(
  storable(LONGEST_URL)
    .refine(isWebUrl, {
      message: "Must be a web address that starts with https:// or http://.",
      abort: true,
    })
    .refine(hasNoUserInfo, "Must not contain a user name or password."),
  {
    maxLength: LONGEST_URL,
    pattern: `^${WEB_ADDRESS}$`,
    description: "An http or https address whose host is a name or an IP address.",
    examples: ["https://example.com/page"],
  },
);

/** The address of an advertiser's site: visitors have to be able to reach it. */
export const siteUrl = describedAs(
  webUrl.refine(isOfPublicHost, "Must be an address that visitors can reach, not one of a private network."),
  {
    maxLength: LONGEST_URL,
    pattern: `^${WEB_ADDRESS}$`,
    description: "An http or https address that visitors can reach.",
    examples: ["https://example.com/page"],
  },
);

/** An address that can receive mail, as browsers take it, in lower case; a domain of any script as mail servers write it. */
export const mailAddress = describedAs(
  z.string().transform((given, context) => {
    const address = asMailAddress(given);
    if (address === null) context.addIssue({ code: "custom", message: "Must be an email address." });
    return address ?? "";
  }),
  { maxLength: LONGEST_EMAIL, pattern: MAIL_ADDRESS.source, examples: ["ads@example.com"] },
);

/** An email address, kept in lower case so that one address is one advertiser. */
export const email = describedAs(
  z.string().max(LONGEST_EMAIL, { abort: true }).regex(EMAIL, "Must be an email address.").toLowerCase(),
  { maxLength: LONGEST_EMAIL, pattern: EMAIL.source, examples: ["ads@example.com"] },
);

/** A currency that payments can be made in. */
export const currency = z
  .enum(
    CURRENCIES,
    "Must be the ISO 4217 code, in lower case, of a currency that the payment processor supports.",
  )
  .meta({
    description: "ISO 4217 code in lower case, of a currency that the payment processor supports.",
    examples: ["usd"],
  });

/** An amount of money in the currency's smallest unit. */
export const amount = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: "Smallest currency unit; 0 is free.", examples: [4900] });

/** A time zone by its name. */
export const timeZone = describedAs(
  z
    .string()
    .refine(
      (name) => zoneNamed(name) !== null,
      "Must be the IANA name of a time zone, such as Europe/Berlin.",
    ),
  {
    maxLength: LONGEST_ZONE_NAME,
    description: "IANA name of a time zone.",
    examples: ["Europe/Berlin"],
  },
);

/** How many of something there are, or how much was paid for it. */
export const whole = z.int().min(0);

/** An instant in UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "ISO 8601, UTC, milliseconds.", examples: ["2026-11-21T09:30:00.000Z"] });

/** As many as its column holds. */
const MOST_VERSIONS = 2 ** 31 - 1;

/** The number of an ad's submissions: a decision that names it is about the content that was looked at. */
export const version = z
  .int()
  .min(1)
  .max(MOST_VERSIONS)
  .meta({ description: "Counts the submissions of the ad, edits of the live ad included.", examples: [1] });

/** An id in an answer, or in a path or body: any text, as a malformed id is one that does not exist. */
export function id(example: string) {
  return z.string().meta({ examples: [example] });
}

/** A text, or anything else, which is ignored: nobody's event is refused because of it. */
export function ignoredUnlessText(about: { readonly description: string; readonly example: string }) {
  return z
    .unknown()
    .transform((value) => (typeof value === "string" ? value : undefined))
    .optional()
    .meta({ description: about.description, examples: [about.example] });
}
