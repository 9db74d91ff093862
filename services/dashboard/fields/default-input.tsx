import { ColorInput, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { EYE_DROPPER } from "./field-control.tsx";
import type { FieldDraft } from "./field-draft.ts";

interface DefaultInputProps {
  readonly draft: Pick<FieldDraft, "type" | "default" | "options">;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The input of a field's default, which is a value of its type. */
export function DefaultInput({ draft, error, onChange }: DefaultInputProps) {
  const words = {
    label: "Default",
    description: "What the form begins with, and what an ad gets whose advertiser is not asked.",
    error,
  };
  const typed = {
    ...words,
    value: draft.default,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  switch (draft.type) {
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
    case "Select": {
      const options = [...new Set(draft.options.map((option) => option.trim()))].filter((one) => one !== "");
      return <NativeSelect {...typed} data={[{ value: "", label: "None" }, ...options]} />;
    }
    case "Color":
      return (
        <ColorInput
          {...words}
          value={draft.default}
          onChange={onChange}
          placeholder="#0b7285"
          eyeDropperButtonProps={EYE_DROPPER}
        />
      );
    case "Date":
      return <TextInput {...typed} type="date" />;
    case "Image":
      return <TextInput {...typed} inputMode="url" placeholder="https://example.com/default.png" />;
    case "Number":
      return <TextInput {...typed} inputMode="decimal" />;
    default:
      return <TextInput {...typed} />;
  }
}
