import type { FieldType } from "#libs/domain/field.ts";
import { LONGEST_TEXT } from "#libs/domain/field-content.ts";

interface FieldTypeTraits {
  readonly label: string;
  /** The input that advertisers get. */
  readonly hint: string;
  readonly hasPlaceholder: boolean;
  /** The most characters that the field's own limit may allow; null for types without such a limit. */
  readonly longest: number | null;
  readonly hasBounds: boolean;
  readonly hasOptions: boolean;
}

const INPUT = { hasPlaceholder: true, longest: null, hasBounds: false, hasOptions: false };
const PICKER = { ...INPUT, hasPlaceholder: false };

/** The form of each field type, in the order of the select. */
export const TRAITS: Readonly<Record<FieldType, FieldTypeTraits>> = {
  Text: { ...INPUT, label: "Text", hint: "One line of text", longest: LONGEST_TEXT.Text },
  Textarea: { ...INPUT, label: "Long text", hint: "Several lines of text", longest: LONGEST_TEXT.Textarea },
  Url: { ...INPUT, label: "Link", hint: "An http or https address" },
  Email: { ...INPUT, label: "Email", hint: "An email address" },
  Number: { ...INPUT, label: "Number", hint: "A number, between limits if you set any", hasBounds: true },
  Switch: { ...PICKER, label: "Switch", hint: "Yes or no" },
  Select: { ...INPUT, label: "Choice", hint: "One of the options that you list", hasOptions: true },
  Image: { ...PICKER, label: "Image", hint: "An image that the advertiser uploads" },
  Date: { ...PICKER, label: "Date", hint: "A day in the calendar" },
  Color: { ...INPUT, label: "Color", hint: "A color, as #rrggbb" },
};
