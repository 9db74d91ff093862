import type { FieldType } from "#libs/domain/field.ts";

interface TypeWords {
  readonly label: string;
  /** What advertisers see in its place. */
  readonly hint: string;
}

/** What a field's types are called, in the order in which they are offered. */
export const TYPE_WORDS: Readonly<Record<FieldType, TypeWords>> = {
  Text: { label: "Text", hint: "One line of text" },
  Textarea: { label: "Long text", hint: "Several lines of text" },
  Url: { label: "Link", hint: "An http or https address" },
  Email: { label: "E-mail", hint: "An e-mail address" },
  Number: { label: "Number", hint: "A number, between limits if you set any" },
  Switch: { label: "Switch", hint: "Yes or no" },
  Select: { label: "Choice", hint: "One of the options that you list" },
  Image: { label: "Image", hint: "A picture that the advertiser uploads" },
  Date: { label: "Date", hint: "A day in the calendar" },
  Color: { label: "Color", hint: "A color, as #rrggbb" },
};

/** Whether there is room for a placeholder in the type's control. */
export function hasPlaceholder(type: FieldType): boolean {
  return !["Switch", "Image", "Date"].includes(type);
}
