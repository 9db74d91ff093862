import type { FieldType } from "#libs/domain/field.ts";
import { checkFieldDefinition } from "#libs/domain/field-definition.ts";
import { FIELD_KEY, fieldKeyFromName } from "#libs/domain/field-key.ts";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { hasPlaceholder } from "./field-types.ts";
import type { Field } from "./shapes.ts";

/** A field as it stands in a form; numbers as typed. */
export interface FieldDraft {
  readonly name: string;
  readonly type: FieldType;
  /** Blank for one made from the name. */
  readonly key: string;
  readonly description: string;
  readonly default: string;
  readonly placeholder: string;
  readonly isRequired: boolean;
  readonly isPublisherOnly: boolean;
  readonly options: readonly string[];
  readonly maxLength: string;
  readonly min: string;
  readonly max: string;
}

type Values = Omit<Field, "id" | "order" | "workspaceId" | "createdAt" | "updatedAt">;

/** What is sent, or what is wrong by dotted path, in the words that stand at the inputs. */
export type CheckedField = { readonly input: Values } | { readonly errors: Record<string, string> };

const LONGEST = [
  ["name", 80],
  ["description", 2000],
  ["placeholder", 500],
] as const;

export const EMPTY_FIELD: FieldDraft = {
  name: "",
  type: "Text",
  key: "",
  description: "",
  default: "",
  placeholder: "",
  isRequired: false,
  isPublisherOnly: false,
  options: ["", ""],
  maxLength: "",
  min: "",
  max: "",
};

export function draftOfField(field: Field): FieldDraft {
  const { options, maxLength, min, max } = field;
  return {
    ...field,
    options: options.length > 0 ? options : EMPTY_FIELD.options,
    maxLength: writeNumber(maxLength),
    min: writeNumber(min),
    max: writeNumber(max),
  };
}

/**
 * The draft as one of another type. A default is a value of the old type, so it goes; what else the new type has no
 * use for stays in the form, should the person change back, and is not sent.
 */
export function withType(draft: FieldDraft, type: FieldType): FieldDraft {
  return type === draft.type ? draft : { ...draft, type, default: "" };
}

/** The key that the field would be reached by: the one given, or one made from the name that is not `taken`. */
export function keyOf(draft: FieldDraft, taken: ReadonlySet<string>): string {
  return draft.key.trim() === "" ? fieldKeyFromName(draft.name, taken) : draft.key.trim();
}

/** Reads a field out of its form, by the rules that the server judges by. `taken` are the other fields' keys. */
export function checkField(draft: FieldDraft, taken: ReadonlySet<string>): CheckedField {
  const errors: Record<string, string> = {};
  const name = draft.name.trim();
  if (name === "") errors.name = "Enter a name.";
  for (const [path, longest] of LONGEST) {
    if (countCharacters(draft[path].trim()) > longest) errors[path] = `Use at most ${longest} characters.`;
  }
  const key = keyOf(draft, taken);
  if (!FIELD_KEY.test(key)) {
    errors.key = "Use 1 to 40 lower-case letters, digits and underscores, beginning with a letter.";
  } else if (taken.has(key)) errors.key = "Another field has this key.";

  const limits = readLimits(draft);
  for (const [path, limit] of Object.entries(limits)) {
    if (Number.isNaN(limit)) errors[path] = "Enter a number, or leave it empty.";
  }
  const definition = {
    type: draft.type,
    ...limits,
    options: optionsOf(draft),
    default: draft.default.trim(),
  };
  if (Object.keys(errors).length === 0) {
    for (const [path, problems] of Object.entries(checkFieldDefinition(definition))) {
      errors[path] = problems.join(" ");
    }
  }
  if (Object.keys(errors).length > 0) return { errors };
  const { description, isRequired, isPublisherOnly } = draft;
  const placeholder = hasPlaceholder(draft.type) ? draft.placeholder : "";
  return { input: { ...definition, name, key, description, placeholder, isRequired, isPublisherOnly } };
}

/** The field as the form that advertisers see would have it, however unfinished the draft. */
export function previewOf(draft: FieldDraft): Values {
  const limits = readLimits(draft);
  return {
    ...draft,
    name: draft.name.trim() === "" ? "Name of the field" : draft.name,
    options: [...new Set(optionsOf(draft).filter((option) => option.trim() !== ""))],
    maxLength: numberOrNull(limits.maxLength),
    min: numberOrNull(limits.min),
    max: numberOrNull(limits.max),
  };
}

function optionsOf({ type, options }: FieldDraft): string[] {
  return type === "Select" ? options.map((option) => option.trim()) : [];
}

/** The limits that the type has; NaN for what is no number. */
function readLimits({ type, maxLength, min, max }: FieldDraft) {
  const isText = type === "Text" || type === "Textarea";
  return {
    maxLength: isText ? readNumber(maxLength) : null,
    min: type === "Number" ? readNumber(min) : null,
    max: type === "Number" ? readNumber(max) : null,
  };
}

function readNumber(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  const number = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

function writeNumber(number: number | null): string {
  return number === null ? "" : String(number);
}

function numberOrNull(number: number | null): number | null {
  return number === null || Number.isNaN(number) ? null : number;
}
