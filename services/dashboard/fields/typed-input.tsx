import { ColorInput, NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { ReactElement } from "react";
import type { FieldType } from "#libs/domain/field.ts";

interface TypedInputProps {
  readonly type: FieldType;
  /** The choices of a Select. */
  readonly options: readonly string[];
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly isRequired?: boolean;
  readonly onChange: (value: string) => void;
}

/** The input of one value, by its type. The value is text, as `readDefault` reads it; blank means no value. */
export function TypedInput(props: TypedInputProps): ReactElement {
  const { type, options, value, isRequired = false, onChange, ...words } = props;
  const typed = {
    ...words,
    required: isRequired,
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  switch (type) {
    case "Textarea":
      return <Textarea {...typed} autosize minRows={2} maxRows={8} />;
    case "Switch":
      return (
        <NativeSelect
          {...typed}
          data={[
            { value: "", label: "None" },
            { value: "true", label: "On" },
            { value: "false", label: "Off" },
          ]}
        />
      );
    case "Select":
      return <NativeSelect {...typed} data={[{ value: "", label: "None" }, ...options]} />;
    case "Color":
      return (
        <ColorInput
          {...typed}
          onChange={onChange}
          placeholder="#0b7285"
          eyeDropperButtonProps={{ "aria-label": "Pick a color from the screen" }}
        />
      );
    case "Date":
      return <TextInput {...typed} type="date" />;
    case "Image":
      return <TextInput {...typed} inputMode="url" placeholder="https://example.com/image.png" />;
    case "Number":
      return <TextInput {...typed} inputMode="decimal" />;
    case "Text":
    case "Url":
    case "Email":
      return <TextInput {...typed} />;
  }
}
