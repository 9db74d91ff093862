import { isEmailAddress } from "./email-address.ts";
import type { FieldRules, FieldType } from "./field.ts";
import { isNoLongerThan, isStorable } from "./storable-text.ts";
import { isWebUrl, LONGEST_URL } from "./web-url.ts";

/** The checked value of a field. A blank field has none. */
export type FieldContent = string | number | boolean;

/** The part of a field's rules that limits its content. */
export type ContentRules = Pick<FieldRules, "type" | "options" | "maxLength" | "min" | "max">;

/** The content in its stored form, or a sentence about the problem of the value. */
export type Checked = { readonly content: FieldContent } | { readonly problem: string };

/** The most characters a text may have, whatever its own `maxLength` says. */
export const LONGEST_TEXT = { Text: 500, Textarea: 10_000 } as const;
/** A `default` of a number: decimal, and short enough to be finite. */
export const NUMBER_TEXT = /^-?[0-9]{1,300}(\.[0-9]+)?$/;

const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/;
const CHECKS: Readonly<Record<FieldType, (value: unknown, rules: ContentRules) => Checked>> = {
  Text: (value, rules) => {
    const checked = checkText(value, rules, LONGEST_TEXT.Text);
    if (typeof checked !== "string") return checked;
    return LINE_BREAKS.test(checked) ? { problem: "Must be a single line." } : { content: checked };
  },
  Textarea: (value, rules) => {
    const checked = checkText(value, rules, LONGEST_TEXT.Textarea);
    return typeof checked === "string" ? { content: checked } : checked;
  },
  Url: (value) => checkForm(value, isWebUrl, "Must be a web address that starts with https:// or http://."),
  Image: (value) => checkForm(value, isWebUrl, "Must be the http or https address of an image."),
  Email: (value) => checkForm(value, isEmailAddress, "Must be an email address."),
  Date: (value) => checkForm(value, isCalendarDay, "Must be a day, as YYYY-MM-DD."),
  Color: (value) => {
    const checked = checkForm(value, isColor, "Must be a color, as #rrggbb.");
    return "content" in checked ? { content: toSixDigits(String(checked.content)) } : checked;
  },
  Number: checkNumber,
  Switch: (value) =>
    typeof value === "boolean" ? { content: value } : { problem: "Must be true or false." },
  Select: (value, { options }) =>
    typeof value === "string" && options.includes(value)
      ? { content: value }
      : { problem: "Must be one of the options." },
};

/** Checks a value that is not blank against the type and limits of its field. Texts are trimmed, colors become `#rrggbb`. */
export function checkContent(rules: ContentRules, value: unknown): Checked {
  return CHECKS[rules.type](value, rules);
}

/** Whether the value is null or only white space. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

/**
 * A field's `default` read as a value of its type: `true` and `false` for a Switch, a decimal number for a Number, the
 * text itself elsewhere. What cannot be read stays text, which the type's check then refuses.
 */
export function readDefault(type: FieldType, text: string): unknown {
  if (type === "Switch" && (text === "true" || text === "false")) return text === "true";
  if (type === "Number" && NUMBER_TEXT.test(text)) return Number(text);
  return text;
}

/** The trimmed text with plain line ends, or its problem. */
function checkText(value: unknown, rules: ContentRules, longest: number): string | { problem: string } {
  if (typeof value !== "string") return { problem: "Must be a text." };
  const most = Math.min(rules.maxLength ?? longest, longest);
  const tooLong = { problem: `Must have at most ${most} characters.` };
  const trimmed = value.trim();
  // Lines may end with two characters that become one.
  if (!isNoLongerThan(2 * most, trimmed)) return tooLong;
  if (!isStorable(trimmed)) return { problem: "Must not contain control characters or broken Unicode." };
  const text = trimmed.replace(/\r\n?/g, "\n");
  return isNoLongerThan(most, text) ? text : tooLong;
}

function checkForm(value: unknown, hasForm: (text: string) => boolean, problem: string): Checked {
  if (typeof value !== "string") return { problem };
  const text = value.trim();
  // A web address is the longest of these values.
  return isNoLongerThan(LONGEST_URL, text) && isStorable(text) && hasForm(text)
    ? { content: text }
    : { problem };
}

function checkNumber(value: unknown, { min, max }: ContentRules): Checked {
  if (typeof value !== "number" || !Number.isFinite(value)) return { problem: "Must be a number." };
  if (min !== null && value < min) return { problem: `Must be at least ${min}.` };
  if (max !== null && value > max) return { problem: `Must be at most ${max}.` };
  // JSON has no negative zero.
  return { content: value === 0 ? 0 : value };
}

/** A day that the calendar has; there is no year 0. */
function isCalendarDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // `Date` reads some days that do not exist as days of the next month.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

function isColor(text: string): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
}

function toSixDigits(color: string): string {
  const digits = color.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}
