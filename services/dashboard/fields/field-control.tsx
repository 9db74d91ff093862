import { ColorInput, FileInput, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { FieldType } from "#libs/domain/field.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import type { Field } from "./shapes.ts";

/** What of a field its control shows. */
export type ShownField = Pick<
  Field,
  | "name"
  | "type"
  | "description"
  | "default"
  | "placeholder"
  | "isRequired"
  | "options"
  | "maxLength"
  | "min"
  | "max"
>;

const INPUT_TYPES: Readonly<Partial<Record<FieldType, string>>> = {
  Url: "url",
  Email: "email",
  Date: "date",
};

export const EYE_DROPPER = { "aria-label": "Pick a color from the screen" };

/** A field as advertisers see it, with its default filled in. It can be tried out and keeps nothing. */
export function FieldControl({ field }: { readonly field: ShownField }) {
  const { name, type, description, placeholder, options, min, max } = field;
  const words = {
    label: name,
    description: description.trim() === "" ? null : description,
  };
  const usual = { ...words, required: field.isRequired, placeholder, defaultValue: field.default };
  const length = field.maxLength === null ? {} : { maxLength: field.maxLength };
  switch (type) {
    case "Textarea":
      return <Textarea {...usual} {...length} autosize minRows={3} maxRows={8} />;
    case "Number":
      return <NumberInput {...usual} {...(min === null ? {} : { min })} {...(max === null ? {} : { max })} />;
    case "Switch":
      return <Switch {...words} defaultChecked={field.default === "true"} />;
    case "Select":
      return (
        <Select
          {...words}
          required={field.isRequired}
          placeholder={placeholder === "" ? "Choose one" : placeholder}
          data={options}
          defaultValue={options.includes(field.default) ? field.default : null}
          clearable={!field.isRequired}
        />
      );
    case "Image":
      return (
        <FileInput
          {...words}
          required={field.isRequired}
          placeholder="Choose a picture"
          accept={IMAGE_TYPES.join(",")}
          clearable
        />
      );
    case "Color":
      return <ColorInput {...usual} eyeDropperButtonProps={EYE_DROPPER} />;
    default:
      return <TextInput {...usual} {...length} type={INPUT_TYPES[type] ?? "text"} />;
  }
}
