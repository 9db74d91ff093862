import { type Field, newField } from "#libs/contract/fields.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { checkFieldDefinition } from "#libs/domain/field-definition.ts";
import { fieldKeyFromName } from "#libs/domain/field-key.ts";
import { type Checked, checkInput } from "../components/forms/check-input.ts";
import { TRAITS } from "./field-types.ts";
import { draftOfImage, EMPTY_IMAGE, IMAGE_WORDS, type ImageDraft, readImage } from "./image-draft.ts";

export type FieldValues = Omit<Field, "id" | "order" | "workspaceId" | "createdAt" | "updatedAt">;

/** A field in a form, with numbers as typed. A blank key is derived from the name. */
export interface FieldDraft extends Omit<FieldValues, "options" | "maxLength" | "min" | "max" | "image"> {
  readonly options: readonly string[];
  readonly maxLength: string;
  readonly min: string;
  readonly max: string;
  readonly image: ImageDraft;
}

const fieldValues = newField.omit({ order: true }).required({ key: true });

const A_NUMBER = "Enter a number, or leave it empty.";
const IF_MISSING = {
  name: "Enter a name.",
  maxLength: A_NUMBER,
  min: A_NUMBER,
  max: A_NUMBER,
  ...IMAGE_WORDS,
};

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
  image: EMPTY_IMAGE,
};

export function draftOfField(field: Field): FieldDraft {
  const { options, maxLength, min, max, image } = field;
  return {
    ...field,
    options: options.length > 0 ? options : EMPTY_FIELD.options,
    maxLength: String(maxLength ?? ""),
    min: String(min ?? ""),
    max: String(max ?? ""),
    image: draftOfImage(image),
  };
}

/** Changes the type, which resets the default. Other values stay in the form in case the person changes back. */
export function withType(draft: FieldDraft, type: FieldType): FieldDraft {
  return type === draft.type ? draft : { ...draft, type, default: "" };
}

/** The key of the field: the given one, or one from the name that is not `taken`. */
export function keyOf(draft: FieldDraft, taken: ReadonlySet<string>): string {
  return draft.key.trim() === "" ? fieldKeyFromName(draft.name, taken) : draft.key.trim();
}

/** Checks a field as the server does, and converts it to the API's input. `taken` are the keys of the other fields. */
export function checkField(draft: FieldDraft, taken: ReadonlySet<string>): Checked<FieldValues> {
  const key = keyOf(draft, taken);
  const values = {
    ...draft,
    ...readLimits(draft),
    key,
    placeholder: TRAITS[draft.type].hasPlaceholder ? draft.placeholder : "",
    options: optionsOf(draft),
    image: draft.type === "Image" ? readImage(draft.image) : null,
    default: draft.default.trim(),
  };
  const checked = checkInput(fieldValues, values, IF_MISSING);
  const errors = {
    ...("errors" in checked ? checked.errors : {}),
    ...(taken.has(key) ? { key: "Another field has this key." } : {}),
  };
  if ("errors" in checked || taken.has(key)) return { errors };
  const unfit = Object.entries(checkFieldDefinition(checked.input));
  if (unfit.length === 0) return checked;
  return { errors: Object.fromEntries(unfit.map(([path, problems]) => [path, problems.join(" ")])) };
}

/** The field for the preview, even if the draft is unfinished. */
export function previewOf(draft: FieldDraft): FieldValues {
  const { maxLength, min, max } = readLimits(draft);
  return {
    ...draft,
    name: draft.name.trim() === "" ? "Field name" : draft.name,
    options: [...new Set(optionsOf(draft).filter((option) => option.trim() !== ""))],
    maxLength: nullIfNaN(maxLength),
    min: nullIfNaN(min),
    max: nullIfNaN(max),
    image: draft.type === "Image" ? readImage(draft.image) : null,
  };
}

function optionsOf({ type, options }: FieldDraft): string[] {
  return TRAITS[type].hasOptions ? options.map((option) => option.trim()) : [];
}

/** The limits of the type; NaN if the text is not a number. */
function readLimits({ type, maxLength, min, max }: FieldDraft) {
  const { longest, hasBounds } = TRAITS[type];
  return {
    maxLength: longest === null ? null : readNumber(maxLength),
    min: hasBounds ? readNumber(min) : null,
    max: hasBounds ? readNumber(max) : null,
  };
}

function readNumber(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  const number = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

function nullIfNaN(number: number | null): number | null {
  return Number.isNaN(number) ? null : number;
}
