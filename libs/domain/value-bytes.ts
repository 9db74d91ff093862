import type { FieldType } from "./field.ts";
import { isBlank, readDefault } from "./field-content.ts";

/** The most bytes of an ad's values, as UTF-8 JSON: of those that its advertiser gives, and also of the publisher's own. */
export const MOST_VALUE_BYTES = 32 * 1024;
/** The most bytes of all fields of a workspace with their texts and options, as UTF-8 JSON. */
const MOST_FIELDS_BYTES = 128 * 1024;

/**
 * Most bytes of a workspace's approved ads. Ads that have been off the air for an hour after their subscription ended count without
 * their values.
 */
export const MOST_APPROVED_BYTES = 16 * 1024 * 1024;
/** What an approved ad counts beside its texts and values. */
export const BYTES_AROUND_AN_AD = 400;

const KIBIBYTE = 1024;
const utf8 = new TextEncoder();

/** A field as far as its size matters. */
export interface SizedField {
  readonly id: string;
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  readonly default: string;
  readonly options: readonly string[];
  readonly isPublisherOnly: boolean;
}

interface Sizes {
  readonly sum: number;
  /** The id of the largest part; empty without parts. */
  readonly largest: string;
}

/** The bytes of values by field id, as they are stored. */
export function valueBytes(values: Readonly<Record<string, unknown>>): number {
  return sizesOf(Object.entries(values)).sum;
}

/** The field whose value is the largest, with a sentence for its author, if the values are too large together; else null. */
export function valuesProblem(
  values: Readonly<Record<string, unknown>>,
): { readonly fieldId: string; readonly sentence: string } | null {
  const { sum, largest } = sizesOf(Object.entries(values));
  if (sum <= MOST_VALUE_BYTES) return null;
  const sentence = `All values of an ad may take ${inKib(MOST_VALUE_BYTES)} together. These take ${inKib(sum)}, and this one is the longest.`;
  return { fieldId: largest, sentence };
}

/**
 * What of a field makes the fields of its workspace too large together, by path; empty if nothing does. `before` is the field
 * as it was, undefined for a new one: what was too large already may stay and shrink.
 */
export function checkFieldSizes(
  others: readonly SizedField[],
  before: SizedField | undefined,
  after: SizedField,
): Record<string, string[]> {
  const old = before === undefined ? others : [...others, before];
  const all = [...others, after];
  const explain = (what: string, most: number, { sum, largest }: Sizes) => {
    const name = all.find(({ id }) => id === largest)?.name ?? "";
    return `${what} of all fields may take ${inKib(most)} together. They would take ${inKib(sum)}, most of them in “${name}”.`;
  };

  const isOfSide = ({ isPublisherOnly }: SizedField) => isPublisherOnly === after.isPublisherOnly;
  const defaults = sizesOf(all.filter(isOfSide).flatMap(defaultOf));
  if (defaults.sum > MOST_VALUE_BYTES && defaults.sum > sizesOf(old.filter(isOfSide).flatMap(defaultOf)).sum)
    return { default: [explain("The default values", MOST_VALUE_BYTES, defaults)] };

  const texts = sizesOf(all.map(asPart));
  if (texts.sum <= MOST_FIELDS_BYTES || texts.sum <= sizesOf(old.map(asPart)).sum) return {};
  const path = bytesOf(after.options) > bytesOf(after.description) ? "options" : "description";
  return { [path]: [explain("The texts and options", MOST_FIELDS_BYTES, texts)] };
}

/** What may make the approved ads of a workspace larger, and what to do where that is too much. */
const GROWTH = {
  ad: "this one they would take more. Ask for shorter texts, or wait until others have been off the air for an hour.",
  utm: "these UTM parameters they would take more. Choose something shorter.",
  tier: "this name in their addresses ({tier}) they would take more. Choose something shorter.",
} as const;
export type Growth = keyof typeof GROWTH;

/** Why the approved ads cannot become larger than `before`, in bytes; null if they can be as large as `after`, or do not grow. */
export function growthProblem(
  by: Growth,
  { before, after }: { readonly before: number; readonly after: number },
) {
  if (after <= Math.max(before, MOST_APPROVED_BYTES)) return null;
  return `The ads of a workspace may take ${MOST_APPROVED_BYTES / KIBIBYTE / KIBIBYTE} MiB together, and with ${GROWTH[by]}`;
}

function defaultOf(field: SizedField): (readonly [id: string, value: unknown])[] {
  const value = readDefault(field.type, field.default);
  return isBlank(value) ? [] : [[field.id, value]];
}

function asPart(field: SizedField): readonly [id: string, part: unknown] {
  return [field.id, field];
}

function sizesOf(parts: readonly (readonly [id: string, part: unknown])[]): Sizes {
  let sum = 0;
  let largest = "";
  let most = 0;
  for (const [id, part] of parts) {
    // With the colon and the comma.
    const bytes = bytesOf(id) + bytesOf(part) + 2;
    sum += bytes;
    if (bytes > most) [most, largest] = [bytes, id];
  }
  return { sum, largest };
}

function bytesOf(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).length;
}

function inKib(bytes: number): string {
  return `${Math.ceil(bytes / KIBIBYTE)} KiB`;
}
