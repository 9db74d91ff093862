import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { LONGEST } from "#libs/domain/limits.ts";
import { endOfPeriod, isPeriod, startOfPeriod } from "#libs/domain/revenue.ts";
import { SUBSCRIPTION_FILTERS } from "#libs/domain/subscription.ts";
import { text } from "./text.ts";

interface IntegerQuery {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly description: string;
}

/**
 * An integer in a query string. Only plain decimal digits are taken: `1.5`, `1e3`, ` 5` and an empty value are errors,
 * not numbers to guess. A typed client passes a number.
 */
export function queryInteger(rule: IntegerQuery) {
  const schema = numberText(/^-?\d{1,16}$/, "Must be an integer.")
    .pipe(z.int().min(rule.min).max(rule.max))
    .default(rule.default);
  const { min: minimum, max: maximum, default: usual, description } = rule;
  describeInQuery(schema, { type: "integer", minimum, maximum, default: usual, description });
  return schema;
}

/** A number as a query carries it, or as a typed client passes it. */
export function numberText(form: RegExp, problem: string) {
  return z
    .custom<number | string>((given) => typeof given !== "object" && form.test(String(given)), problem)
    .transform(Number);
}

interface ListQuery {
  /** Items at most. */
  readonly most: number;
  readonly description: string;
}

/**
 * A list in a query: distinct texts without blanks, joined by commas, repeated, or both. `readQuery` collects its other
 * forms. An empty list is a list: a filter that is there admits nothing else. The limit counts what was given, repetitions
 * too, as the published description does.
 */
export function queryList({ most, description }: ListQuery) {
  const schema = distinctTexts(most).optional();
  describeInQuery(schema, { type: "array", items: { type: "string" }, maxItems: most, description });
  return schema;
}

interface TextsQuery extends ListQuery {
  readonly longest: number;
  readonly example: string;
}

/** A list of texts that may have commas: the parameter is repeated for each. None is longer than `longest`. */
export function queryTexts({ most, longest, description, example }: TextsQuery) {
  const schema = z
    .union([z.string(), z.array(z.string())], "Must be text.")
    .transform((given) => [given].flat())
    .refine((texts) => texts.length <= most, `Must have at most ${most} items.`)
    .refine(
      (texts) => texts.every(({ length }) => length <= longest),
      `Must have texts of at most ${longest} characters.`,
    )
    .transform((texts) => [...new Set(texts)].filter((text) => text !== ""))
    .optional();
  const items = { type: "string", maxLength: longest };
  describeInQuery(schema, { type: "array", items, maxItems: most, description, examples: [[example]] });
  return schema;
}

/** As `queryList`, of some names alone. */
export function queryChoices<Choice extends string>(
  choices: readonly Choice[],
  { most, description }: ListQuery,
) {
  const isChoice = (text: string): text is Choice => choices.some((choice) => choice === text);
  const schema = distinctTexts(most)
    .transform((texts, context) => {
      const known = texts.filter(isChoice);
      if (known.length < texts.length) {
        context.addIssue({ code: "custom", message: `Must be one of ${choices.join(", ")}.` });
      }
      return known;
    })
    .optional();
  const items = { enum: [...choices], type: "string" };
  describeInQuery(schema, { type: "array", items, maxItems: most, description });
  return schema;
}

function distinctTexts(most: number) {
  return z
    .union([z.string(), z.array(z.string())], "Must be text.")
    .transform((given) => [given].flat().flatMap((text) => text.split(",")))
    .refine((texts) => texts.length <= most, `Must have at most ${most} items.`)
    .transform((texts) => [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== ""));
}

/** Everything in a query is text when it arrives; the interface description says what the text has to be. */
export function describeInQuery(
  schema: z.ZodType,
  description: {
    type: "integer" | "number" | "string" | "array";
    description: string;
    [rule: string]: string | number | object;
  },
): void {
  JSON_SCHEMA_INPUT_REGISTRY.add(schema, description);
}

/** The page of a list; over the last page it is clamped. */
export const page = queryInteger({
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  default: 1,
  description: "Page to return. A page over the last one is clamped to it.",
});

/** Rows a page. */
export const perPage = queryInteger({ min: 1, max: 100, default: 25, description: "Rows per page." });

/** Longer than any cursor: the longest names of rows have 254 characters. */
const LONGEST_CURSOR = 4_000;

const CURSOR = "WyJhZHM6bmV3ZXN0IiwyLCIyMDI2LTExLTIxVDA5OjMwOjAwLjAwMDAwMFoiLCJhZF8xIl0";

const after = z.string().max(LONGEST_CURSOR).optional();
describeInQuery(after, {
  type: "string",
  examples: [CURSOR],
  maxLength: LONGEST_CURSOR,
  description:
    "The `nextCursor` of the page before, with the same filters and `sort`, in place of `page`. Nothing is repeated and nothing skipped, whatever is added or removed meanwhile; after the last row `items` is empty.",
});

/** What every list takes: a page by its number, or the one after a cursor. */
export const paging = { page, perPage, after };

const MOST_DAYS = 365;

/** The window of stats, in UTC days up to and including today. */
export const days = queryInteger({
  min: 1,
  max: MOST_DAYS,
  default: 30,
  description: "Days in the window, today included.",
});

/** The same window in an answer. */
export const shownDays = z.int().min(1).max(MOST_DAYS).meta({ description: "As requested." });

/** A moment in a query. */
export function instant(description: string) {
  return z.iso
    .datetime({ offset: true, error: "Must be a moment, such as 2026-11-21T09:30:00.000Z." })
    .optional()
    .meta({ description: `${description} ISO 8601 with an offset or Z.` });
}

/** Narrows a list to what is new to somebody who read it before. `what` names what counts as a change. */
export function updatedSince(what: string) {
  return instant(
    `Only what changed at this moment or later, in real time: ${what}. Begin a minute before the last reading began, because a change shows when it is committed.`,
  );
}

/** Narrows a list to some of its rows. */
export const ids = queryList({ most: 100, description: "Only these ids. Unknown ones are left out." });

const PERIOD = /^20\d{2}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/;

function periodInQuery(description: string) {
  const schema = z
    .string()
    .regex(PERIOD, "Must be a month, such as 2026-11, or a day, such as 2026-11-21.")
    .refine(isPeriod, "There is no such day.")
    .optional();
  describeInQuery(schema, { type: "string", pattern: PERIOD.source, description });
  return schema;
}

/** Whole UTC days or months, both included. */
export const periods = {
  from: periodInQuery("First UTC day or month."),
  to: periodInQuery("Last UTC day or month, to its end."),
};

interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whether a span begins before it ends. */
export const isSpan = ({ from, to }: Span) =>
  from === undefined || to === undefined || startOfPeriod(from) < endOfPeriod(to);
export const NO_SPAN = { path: ["to"], message: "Must not be before the first." };

/** Narrows a list by the state of the subscriptions in it. */
export const subscriptionFilter = z.enum(SUBSCRIPTION_FILTERS).optional().meta({
  description:
    "`PastDue`: a payment failed and is still owed (status `PastDue` or `Unpaid`). `Paused`: billing is paused. `Canceling`: active, but set to end. `NeverRan`: has ended and was paid, but the ad was never on the air, mostly because nobody reviewed it; until the payment is refunded or the ad is rejected.",
});

/** Narrows a list to what was bought with a reference of the integrator's. */
export const clientReference = text(LONGEST.reference, {
  description: "Only what was bought in a checkout session with this `clientReference`.",
}).optional();

/** The envelope of every list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    total: z.int().min(0).meta({ description: "Total rows across all pages." }),
    page: z.int().min(1).meta({ description: "The clamped page returned." }),
    perPage: z.int().min(1).meta({ description: "Rows per page." }),
    pageCount: z.int().min(1).meta({ description: "Total number of pages, at least 1." }),
    nextCursor: z
      .string()
      .nullable()
      .meta({
        description:
          "For `after`, to read the next page; also in the header `Link`. Null on the last page, and in an order by counts or amounts.",
        examples: [CURSOR],
      }),
  });
}

/** The envelope of a list that is always answered whole, as its only page. */
export function onePage<T>(items: T[]) {
  return {
    items,
    total: items.length,
    page: 1,
    perPage: Math.max(1, items.length),
    pageCount: 1,
    nextCursor: null,
  };
}
