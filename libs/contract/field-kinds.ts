import type { OpenAPI } from "@orpc/contract";
import { EMAIL } from "#libs/domain/email-address.ts";
import { FIELD_TYPES, type FieldType } from "#libs/domain/field.ts";
import { LONGEST_TEXT, NUMBER_TEXT } from "#libs/domain/field-content.ts";
import { LONGEST_OPTION, MOST_OPTIONS } from "#libs/domain/field-definition.ts";
import { ANY, CONTROLS, INK, LINE_BREAKS, SPACE, WEB_ADDRESS } from "./expressions.ts";

type Limits = Readonly<Record<"options" | "maxLength" | "min" | "max" | "image", OpenAPI.SchemaObject>>;

const NONE: Limits = {
  options: { maxItems: 0 },
  maxLength: { type: "null" },
  min: { type: "null" },
  max: { type: "null" },
  image: { type: "null" },
};

interface Kind {
  readonly properties: Readonly<Record<string, OpenAPI.SchemaObject>>;
  readonly required?: readonly string[];
}

const KINDS: Readonly<Record<FieldType, Kind>> = {
  Text: kind({
    maxLength: lengthUpTo(LONGEST_TEXT.Text),
    default: matching(`${SPACE}*[^${CONTROLS}${LINE_BREAKS}]*${SPACE}*`),
  }),
  Textarea: kind({ maxLength: lengthUpTo(LONGEST_TEXT.Textarea) }),
  Url: kind({ default: blankOr(trimmed(WEB_ADDRESS)) }),
  Image: kind({ image: {}, default: blankOr(trimmed(WEB_ADDRESS)) }),
  Email: kind({ default: blankOr(trimmed(inside(EMAIL))) }),
  Number: kind({ min: {}, max: {}, default: blankOr(inside(NUMBER_TEXT)) }),
  Switch: kind({ default: { enum: ["", "true", "false"] } }),
  Select: kind(
    {
      options: {
        minItems: 1,
        maxItems: MOST_OPTIONS,
        uniqueItems: true,
        items: { type: "string", maxLength: LONGEST_OPTION, pattern: `^${ANY}*${INK}${ANY}*$` },
      },
    },
    ["options"],
  ),
  Date: kind({ default: blankOr(trimmed("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")) }),
  Color: kind({ default: blankOr(trimmed("#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")) }),
};

/**
 * Describes the body of a new field for the interface description, as one alternative per type. Generated clients send only what
 * an alternative names, so each repeats what the types share. No schema can say that `min` is not over `max`, or that the
 * default is one of the options, within the limits, or a day of the calendar.
 */
export function describeFieldKinds(body: OpenAPI.SchemaObject): OpenAPI.SchemaObject {
  return {
    anyOf: FIELD_TYPES.map((type) => {
      const { properties, required = [] } = KINDS[type];
      return {
        // Named `NewDateField`, because some languages have a type `Date` or `Number` already.
        title: `New${type}Field`,
        type: "object",
        properties: {
          ...Object.fromEntries(
            Object.entries(body.properties ?? {}).map(([name, shared]) => [
              name,
              narrowed(shared, properties[name]),
            ]),
          ),
          type: { type: "string", enum: [type] },
        },
        required: [...(body.required ?? []), ...required],
      };
    }),
  };
}

/** A type's own rule for a property over the shared one. */
function narrowed(
  shared: OpenAPI.ReferenceObject | OpenAPI.SchemaObject,
  own: OpenAPI.SchemaObject = {},
): OpenAPI.ReferenceObject | OpenAPI.SchemaObject {
  if ("$ref" in shared) return { ...shared, ...own };
  if (own.minItems !== undefined) {
    const { default: _emptyIsTooFew, ...rest } = shared;
    return { ...rest, ...own };
  }
  if (own.type === undefined) return { ...shared, ...own };
  const { anyOf: _asOwn, ...rest } = shared;
  return { ...rest, ...own };
}

/** Adds a type's own limits to `NONE`, and replaces those that it has. */
function kind(properties: Kind["properties"], required: readonly string[] = []): Kind {
  return { properties: { ...NONE, ...properties }, required };
}

function lengthUpTo(maximum: number): OpenAPI.SchemaObject {
  return { type: ["integer", "null"], minimum: 1, maximum };
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
