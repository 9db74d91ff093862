import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { countCharacters, isStorable } from "#libs/domain/storable-text.ts";
import { isWebUrl, LONGEST_URL } from "#libs/domain/web-url.ts";

/** What readers of the interface description are told; zod's own `meta` would make a schema that knows no pattern. */
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

/** The same rules for the interface description, in an expression that every regex engine reads alike. */
const CONTROLS = String.raw`\u0000-\u0008\u000e-\u001f\u007f-\u009f`;
const SPACES = String.raw`\t\n\u000b\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const ANY = `[^${CONTROLS}]`;
const INK = `[^${CONTROLS}${SPACES}]`;

/** A text that can be stored, of at most `max` characters (code points). */
export function text(max: number, about: About = {}) {
  return describedAs(storable(max), { maxLength: max, pattern: `^${ANY}*$`, ...about });
}

/** A text of at most `max` characters (code points) that keeps at least `min`, 1 or 2, when it is trimmed. */
export function trimmedText(min: 1 | 2, max: number, about: About = {}) {
  const schema = storable(max)
    .trim()
    .refine(
      (given) => countCharacters(given) >= min,
      `Must have at least ${min} character${min === 1 ? "" : "s"}.`,
    );
  const pattern = min === 1 ? `^${ANY}*${INK}${ANY}*$` : `^${ANY}*${INK}${ANY}*${INK}${ANY}*$`;
  return describedAs(schema, { minLength: min, maxLength: max, pattern, ...about });
}

function storable(max: number) {
  return z
    .string()
    .refine(isStorable, NOT_STORABLE)
    .refine((given) => countCharacters(given) <= max, `Must have at most ${max} characters.`);
}

/** Tells the interface description what zod's own checks cannot say. */
function describedAs<T extends z.ZodType<string, string>>(schema: T, description: TextDescription): T {
  const plain: z.ZodType<string, string> = schema;
  JSON_SCHEMA_INPUT_REGISTRY.add(plain, description);
  return schema;
}

/** An address of the web. Anything but http and https (`javascript:`, `data:`) is refused. */
export const webUrl = describedAs(
  storable(LONGEST_URL).refine(isWebUrl, "Must be an http or https address."),
  {
    maxLength: LONGEST_URL,
    pattern: String.raw`^https?://([A-Za-z0-9]{1,20}\.)+[A-Za-z]{2,20}(:[0-9]{1,4})?(/[^${CONTROLS}${SPACES}]*)?$`,
    examples: ["https://example.com/page"],
  },
);

const EMAIL = /^[A-Za-z0-9_+-]+([.'][A-Za-z0-9_+-]+)*@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\.)+[A-Za-z]{2,63}$/;
const LONGEST_EMAIL = 254;

/** An e-mail address, kept in lower case so that one person is one advertiser. */
export const email = describedAs(
  z.string().max(LONGEST_EMAIL).regex(EMAIL, "Must be an e-mail address.").toLowerCase(),
  { maxLength: LONGEST_EMAIL, pattern: EMAIL.source, examples: ["ads@example.com"] },
);

const CURRENCIES = Intl.supportedValuesOf("currency").map((code) => code.toLowerCase());

/** An ISO 4217 code in lower case. */
export const currency = z
  .enum(CURRENCIES, "Must be an ISO 4217 code in lower case.")
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
