import type { OpenAPI } from "@orpc/contract";
import { EMAIL } from "#libs/domain/email-address.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { LONGEST_TEXT, NUMBER_TEXT } from "#libs/domain/field-content.ts";
import { LONGEST_OPTION, MOST_OPTIONS } from "#libs/domain/field-definition.ts";
import { ANY, CONTROLS, INK, LINE_BREAKS, SPACE, WEB_ADDRESS } from "./expressions.ts";

type Limits = Readonly<Record<"options" | "maxLength" | "min" | "max", OpenAPI.SchemaObject>>;

const NONE: Limits = {
  options: { maxItems: 0 },
  maxLength: { type: "null" },
  min: { type: "null" },
  max: { type: "null" },
};

/**
 * What a new field has to be as a whole, by its type, for the interface description. Said in words only: `min` is not
 * over `max`, and the default is one of the options, within the limits, or a day that the calendar has.
 */
export const FIELD_KINDS: OpenAPI.SchemaObject = {
  anyOf: [
    kind("Text", {
      ...NONE,
      maxLength: lengthUpTo(LONGEST_TEXT.Text),
      default: matching(`${SPACE}*[^${CONTROLS}${LINE_BREAKS}]*${SPACE}*`),
    }),
    kind("Textarea", { ...NONE, maxLength: lengthUpTo(LONGEST_TEXT.Textarea) }),
    kind("Url", { ...NONE, default: blankOr(trimmed(WEB_ADDRESS)) }),
    kind("Image", { ...NONE, default: blankOr(trimmed(WEB_ADDRESS)) }),
    kind("Email", { ...NONE, default: blankOr(trimmed(inside(EMAIL))) }),
    kind("Number", { ...NONE, min: {}, max: {}, default: blankOr(inside(NUMBER_TEXT)) }),
    kind("Switch", { ...NONE, default: { enum: ["", "true", "false"] } }),
    kind(
      "Select",
      {
        ...NONE,
        options: {
          minItems: 1,
          maxItems: MOST_OPTIONS,
          uniqueItems: true,
          items: { type: "string", maxLength: LONGEST_OPTION, pattern: `^${ANY}*${INK}${ANY}*$` },
        },
      },
      ["options"],
    ),
    kind("Date", { ...NONE, default: blankOr(trimmed("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")) }),
    kind("Color", { ...NONE, default: blankOr(trimmed("#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")) }),
  ],
};

function kind(
  type: FieldType,
  properties: Readonly<Record<string, OpenAPI.SchemaObject>>,
  required: readonly string[] = [],
): OpenAPI.SchemaObject {
  return {
    title: type,
    properties: { type: { const: type }, ...properties },
    required: ["type", ...required],
  };
}

function lengthUpTo(maximum: number): OpenAPI.SchemaObject {
  return { type: ["integer", "null"], maximum };
}

function blankOr(form: string): OpenAPI.SchemaObject {
  return matching(`(${form})?`);
}

function matching(form: string): OpenAPI.SchemaObject {
  return { type: "string", pattern: `^${form}$` };
}

function trimmed(form: string): string {
  return `${SPACE}*${form}${SPACE}*`;
}

function inside({ source }: RegExp): string {
  return source.slice(1, -1);
}
