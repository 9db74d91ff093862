import type { FieldRules, FieldValue } from "./field.ts";
import { checkContent, type FieldContent, isBlank, readDefault } from "./field-content.ts";
import { MOST_VALUE_BYTES, valueBytes, valuesProblem } from "./value-bytes.ts";

/** Who gives the values: a field is the publisher's, or asked of the advertiser and taken from nobody else. */
export type FieldAudience = "advertiser" | "publisher";

const GIVEN_BY: Readonly<Record<FieldAudience, string>> = {
  advertiser: "This field is set by the publisher.",
  publisher: "This field is set by the advertiser.",
};

export type CheckedFieldValues =
  | { readonly ok: true; readonly meta: Record<string, FieldContent> }
  | { readonly ok: false; readonly fieldErrors: Record<string, string[]> };

/** The problem of a required field without content. */
export const REQUIRED = "This field is required.";

/** An id that we have never made is repeated in the answer no further than this. */
const LONGEST_UNKNOWN_ID = 64;

/**
 * Checks the values given for a workspace's fields. With `ok`, `meta` has the content of each field that has any, by
 * field id; otherwise `fieldErrors` has the problems, at `meta.<key>` (`meta.<id>` for a field that does not exist).
 *
 * - From an advertiser, who submits everything: a field that is not mentioned gets its default. From a publisher, who
 *   changes single values: it stays as it is, so `meta` has nothing of it.
 * - A field mentioned as null or as blank text is empty, default or not: so an advertiser can leave out optional fields.
 * - A required field must have content in the end, from the caller or by default.
 * - `meta` has nothing of the fields that the other one gives: the caller keeps what is there.
 * - All content together has at most `MOST_VALUE_BYTES`; beyond it the largest is the problem.
 */
export function checkFieldValues(
  rules: readonly FieldRules[],
  values: readonly FieldValue[],
  audience: FieldAudience,
): CheckedFieldValues {
  const meta = new Map<string, FieldContent>();
  const errors = new Map<string, string[]>();
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]));
  const mentioned = new Set<string>();

  for (const { fieldId, value } of values) {
    const rule = rulesById.get(fieldId);
    const path = `meta.${rule?.key ?? shorten(fieldId)}`;
    if (rule === undefined) refuse(path, "There is no such field.");
    else if (!isAskedOf(audience, rule)) refuse(path, GIVEN_BY[audience]);
    else if (mentioned.has(fieldId)) refuse(path, "The field is mentioned twice.");
    else take(rule, value);
    mentioned.add(fieldId);
  }
  for (const rule of audience === "advertiser" ? rules : []) {
    if (isAskedOf(audience, rule) && !mentioned.has(rule.id))
      take(rule, readDefault(rule.type, rule.default));
  }
  const tooLarge = errors.size > 0 ? null : valuesProblem(Object.fromEntries(meta));
  if (tooLarge !== null) refuse(`meta.${rulesById.get(tooLarge.fieldId)?.key}`, tooLarge.sentence);
  return errors.size > 0
    ? { ok: false, fieldErrors: Object.fromEntries(errors) }
    : { ok: true, meta: Object.fromEntries(meta) };

  function take(rule: FieldRules, value: unknown): void {
    const path = `meta.${rule.key}`;
    if (isBlank(value)) {
      if (rule.isRequired) refuse(path, REQUIRED);
      return;
    }
    const checked = checkContent(rule, value);
    if ("problem" in checked) refuse(path, checked.problem);
    else meta.set(rule.id, checked.content);
  }

  function refuse(path: string, problem: string): void {
    errors.set(path, [...(errors.get(path) ?? []), problem]);
  }
}

/**
 * The defaults of publisher-only fields, for a new ad. One that the field no longer takes is left out, and so is one beyond
 * `MOST_VALUE_BYTES`, which fields have had since before there was this limit.
 */
export function publisherDefaults(rules: readonly FieldRules[]): Record<string, FieldContent> {
  let defaults: Record<string, FieldContent> = {};
  for (const rule of rules) {
    const value = readDefault(rule.type, rule.default);
    if (!rule.isPublisherOnly || isBlank(value)) continue;
    const checked = checkContent(rule, value);
    if ("problem" in checked) continue;
    const more = { ...defaults, [rule.id]: checked.content };
    if (valueBytes(more) <= MOST_VALUE_BYTES) defaults = more;
  }
  return defaults;
}

function isAskedOf(audience: FieldAudience, rule: FieldRules): boolean {
  return rule.isPublisherOnly === (audience === "publisher");
}

function shorten(id: string): string {
  return id.slice(0, LONGEST_UNKNOWN_ID).toWellFormed();
}
