import { ColorInput, FileInput, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { ReactElement } from "react";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { imageRulesWords } from "#libs/domain/image-rules.ts";
import type { FieldDraft, FieldValues } from "./field-draft.ts";
import { TypedInput } from "./typed-input.tsx";

const INPUT_TYPES = { Text: "text", Url: "url", Email: "email", Date: "date" } as const;

const EYE_DROPPER = { "aria-label": "Pick a color from the screen" };

/** A field as advertisers see it, with its default. It can be tried out and stores nothing. */
export function FieldControl({ field }: { readonly field: FieldValues }): ReactElement {
  const { name, type, description, placeholder, options, min, max } = field;
  const words = { label: name, description: description.trim() === "" ? null : description };
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
          description={[words.description, field.image === null ? null : imageRulesWords(field.image)]
            .filter((line) => line !== null && line !== "")
            .join(" ")}
          required={field.isRequired}
          placeholder="Choose an image"
          accept={IMAGE_TYPES.join(",")}
          clearable
        />
      );
    case "Color":
      return <ColorInput {...usual} eyeDropperButtonProps={EYE_DROPPER} />;
    case "Text":
    case "Url":
    case "Email":
    case "Date":
      return <TextInput {...usual} {...length} type={INPUT_TYPES[type]} />;
  }
}

interface DefaultInputProps {
  readonly draft: Pick<FieldDraft, "type" | "default" | "options">;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The input of a field's default value, by its type. */
export function DefaultInput({ draft, error, onChange }: DefaultInputProps): ReactElement {
  const options = [...new Set(draft.options.map((option) => option.trim()))].filter((one) => one !== "");
  return (
    <TypedInput
      type={draft.type}
      options={options}
      label="Default"
      description="Pre-filled value; also used when the field isn’t shown to advertisers."
      value={draft.default}
      error={error}
      onChange={onChange}
    />
  );
}
