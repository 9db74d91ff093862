import type { ImageRules } from "./image-rules.ts";

export const FIELD_TYPES = [
  "Text",
  "Textarea",
  "Url",
  "Email",
  "Number",
  "Switch",
  "Select",
  "Image",
  "Date",
  "Color",
] as const;

/** What a creative field takes, and how its form control looks. */
export type FieldType = (typeof FIELD_TYPES)[number];

/** The rules of a creative field that its values must keep. */
export interface FieldRules {
  readonly id: string;
  readonly key: string;
  readonly type: FieldType;
  readonly isRequired: boolean;
  readonly isPublisherOnly: boolean;
  readonly options: readonly string[];
  readonly maxLength: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** The sizes that an Image asks for; null without any. */
  readonly image: ImageRules | null;
  /** The value, as text, of a field that a submission does not mention; empty for no value. */
  readonly default: string;
}

export interface FieldValue {
  readonly fieldId: string;
  readonly value: unknown;
}
