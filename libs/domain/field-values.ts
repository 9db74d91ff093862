import type { FieldRules, FieldValue } from "./field.ts";
import { checkContent, type FieldContent, isBlank, readDefault } from "./field-content.ts";

/** Who gives the values: publisher-only fields are not asked of an advertiser, and not taken from one. */
export type FieldAudience = "advertiser" | "publisher";

export type CheckedFieldValues =
  | { readonly ok: true; readonly meta: Record<string, FieldContent> }
  | { readonly ok: false; readonly fieldErrors: Record<string, string[]> };

/** An id that we have never made is repeated in the answer no further than this. */
const LONGEST_UNKNOWN_ID = 64;

/**
 * Checks the values given for a workspace's fields. With `ok`, `meta` has the content of each field that has any, by
 * field id; otherwise `fieldErrors` has the problems, at `meta.<key>` (`meta.<id>` for a field that does not exist).
 *
 * - A field that is not mentioned gets its default. One mentioned as null or as blank text stays empty, default or not:
 *   so an advertiser can leave out optional fields.
 * - A required field must have content in the end, from the caller or by default.
 * - For an advertiser, `meta` has nothing of publisher-only fields: the caller keeps what the publisher has set there.
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
    else if (!isAskedOf(audience, rule)) refuse(path, "This field is set by the publisher.");
    else if (mentioned.has(fieldId)) refuse(path, "The field is mentioned twice.");
    else take(rule, value);
    mentioned.add(fieldId);
  }
  for (const rule of rules) {
    if (isAskedOf(audience, rule) && !mentioned.has(rule.id))
      take(rule, readDefault(rule.type, rule.default));
  }
  return errors.size > 0
    ? { ok: false, fieldErrors: Object.fromEntries(errors) }
    : { ok: true, meta: Object.fromEntries(meta) };

  function take(rule: FieldRules, value: unknown): void {
    const path = `meta.${rule.key}`;
    if (isBlank(value)) {
      if (rule.isRequired) refuse(path, "This field is required.");
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

function isAskedOf(audience: FieldAudience, rule: FieldRules): boolean {
  return audience === "publisher" || !rule.isPublisherOnly;
}

function shorten(id: string): string {
  return id.slice(0, LONGEST_UNKNOWN_ID).toWellFormed();
}
