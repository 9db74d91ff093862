import { submission as submissionShape } from "#libs/contract/checkout.ts";
import type { Field } from "#libs/contract/fields.ts";
import { checkFieldValues, REQUIRED } from "#libs/domain/field-values.ts";
import { completeUrl, isWebUrl } from "#libs/domain/web-url.ts";
import { type FieldProblems, invalidInput, mapZodError } from "#libs/http/index.ts";
import { type CreativeContent, submittedValues } from "../../media/image-copies/external-images.ts";
import type { Submission } from "../checkout/submission.ts";
import { ENTER_ADDRESS, PAGE_FIELD_TYPES } from "../field-types.ts";

/** The form of an ad: every value as typed, by the field's key. */
export interface Draft {
  readonly name: string;
  readonly websiteUrl: string;
  readonly values: ReadonlyMap<string, string>;
}

type FormField = Pick<Field, "id" | "key" | "type" | "default">;

/** The name of a field's input, which is also the path of its errors in the contract. */
export function inputName({ key }: Pick<Field, "key">): string {
  return `meta.${key}`;
}

/** The form of a first ad: the fields' defaults. */
export function newDraft(fields: readonly FormField[]): Draft {
  return { name: "", websiteUrl: "", values: new Map(fields.map((field) => [field.key, field.default])) };
}

/** The form of an existing ad or revision. */
export function draftOfCreative(
  creative: { name: string; website_url: string } & CreativeContent,
  fields: readonly FormField[],
): Draft {
  const submitted = submittedValues(creative);
  const values = new Map(fields.map(({ id, key }) => [key, textOf(submitted[id])]));
  return { name: creative.name, websiteUrl: creative.website_url, values };
}

/** The submitted form, to be shown again. */
export function draftOfForm(form: URLSearchParams, fields: readonly FormField[]): Draft {
  const values = new Map(fields.map((field) => [field.key, lastOf(form, inputName(field)) ?? field.default]));
  return { name: lastOf(form, "name") ?? "", websiteUrl: lastOf(form, "websiteUrl") ?? "", values };
}

/** The form as the contract takes it. A field newer than the form is left out; an empty one is sent. */
export function submissionOfForm(form: URLSearchParams, fields: readonly FormField[]): Submission {
  const fieldValues = fields.flatMap((field) => {
    const text = lastOf(form, inputName(field));
    return text === null
      ? []
      : [{ fieldId: field.id, value: text.trim() === "" ? null : PAGE_FIELD_TYPES[field.type].read(text) }];
  });
  return {
    name: lastOf(form, "name") ?? "",
    websiteUrl: completeUrl(lastOf(form, "websiteUrl") ?? ""),
    meta: fieldValues,
  };
}

/** Any field value as text. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** An unchecked box sends nothing, so a hidden input in front of it says no: the last value counts. */
function lastOf(form: URLSearchParams, name: string): string | null {
  return form.getAll(name).at(-1) ?? null;
}

/**
 * The submission as the contract takes it. Throws 422 with all problems at once: the contract by itself checks the
 * workspace's fields only once everything else is right.
 */
export function checkSubmission(given: Submission, fields: readonly Field[]): Submission {
  const parsed = submissionShape.safeParse(given);
  if (parsed.success) return parsed.data;
  const { formErrors, fieldErrors } = mapZodError(parsed.error);
  const values = checkFieldValues(fields, given.meta, "advertiser");
  throw invalidInput("INVALID_INPUT", {
    formErrors,
    fieldErrors: { ...fieldErrors, ...(values.ok ? {} : values.fieldErrors) },
  });
}

/** The problems of a form. The contract speaks to programs; what is missing, and addresses, are asked for as people would. */
export function plainProblems(
  { formErrors, fieldErrors }: FieldProblems,
  { name, websiteUrl }: Submission,
  fields: readonly Field[],
): FieldProblems {
  const plain = new Map<string, string>();
  if (name.trim() === "") plain.set("name", "Enter a name.");
  if (!isWebUrl(websiteUrl)) plain.set("websiteUrl", ENTER_ADDRESS);
  for (const field of fields) {
    const path = inputName(field);
    const isMissing = fieldErrors[path]?.includes(REQUIRED) ?? false;
    if (isMissing || field.type === "Url") plain.set(path, PAGE_FIELD_TYPES[field.type].missing);
  }
  const said = Object.entries(fieldErrors).map(([path, sentences]) => {
    const sentence = plain.get(path);
    return [path, sentence === undefined ? sentences : [sentence]] as const;
  });
  return { formErrors, fieldErrors: Object.fromEntries(said) };
}
