import type { Submission } from "../../checkout/submission.ts";
import { type CreativeContent, submittedValues } from "../../image-copies/elsewhere.ts";
import type { ShownField } from "./visit.ts";

/** What the form of an ad holds: every value as text, as it is typed, by the field's key. */
export interface Draft {
  readonly name: string;
  readonly websiteUrl: string;
  readonly values: ReadonlyMap<string, string>;
}

type Field = Pick<ShownField, "id" | "key" | "type" | "default">;

/** No number that a form can mean takes more characters. */
const LONGEST_NUMBER = 400;
/** Each digit can be matched in one way only, so that a long wrong one is refused at once. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The form's name of a field, which is also the path at which the contract tells what is wrong with it. */
export function inputName({ key }: Pick<ShownField, "key">): string {
  return `meta.${key}`;
}

/** What the form of a first ad begins with: the fields' defaults. */
export function newDraft(fields: readonly Field[]): Draft {
  return { name: "", websiteUrl: "", values: new Map(fields.map((field) => [field.key, field.default])) };
}

/** The form of an ad or a revision that is there. */
export function draftOfCreative(
  creative: { name: string; website_url: string } & CreativeContent,
  fields: readonly Field[],
): Draft {
  const submitted = submittedValues(creative);
  const values = new Map(fields.map(({ id, key }) => [key, textOf(submitted[id])]));
  return { name: creative.name, websiteUrl: creative.website_url, values };
}

/** The form as it was sent, to be shown again. */
export function draftOfForm(form: URLSearchParams, fields: readonly Field[]): Draft {
  const values = new Map(fields.map((field) => [field.key, lastOf(form, inputName(field)) ?? field.default]));
  return { name: lastOf(form, "name") ?? "", websiteUrl: lastOf(form, "websiteUrl") ?? "", values };
}

/**
 * The form as the contract takes it. A field that the form did not have, as it is newer, is not mentioned; one that was
 * left empty is.
 */
export function submissionOfForm(form: URLSearchParams, fields: readonly Field[]): Submission {
  const meta = fields.flatMap((field) => {
    const text = lastOf(form, inputName(field));
    return text === null ? [] : [{ fieldId: field.id, value: readAs(field, text) }];
  });
  return { name: lastOf(form, "name") ?? "", websiteUrl: (lastOf(form, "websiteUrl") ?? "").trim(), meta };
}

/** Anything a field can hold, as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** A box that is not ticked sends nothing, so a hidden input in front of it says no: the last word counts. */
function lastOf(form: URLSearchParams, name: string): string | null {
  return form.getAll(name).at(-1) ?? null;
}

/** What cannot be read as the type stays text, which the contract then refuses. */
function readAs({ type }: Pick<Field, "type">, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (type === "Switch" && (trimmed === "true" || trimmed === "false")) return trimmed === "true";
  return type === "Number" ? readNumber(trimmed) : text;
}

function readNumber(text: string): number | string {
  return text.length <= LONGEST_NUMBER && NUMBER.test(text) ? Number(text) : text;
}
