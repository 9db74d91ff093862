import { Group, TextInput } from "@mantine/core";
import { type DraftErrors, errorsBelow } from "../components/forms/use-draft.ts";
import type { ImageDraft } from "./image-draft.ts";

interface ImageInputsProps {
  readonly image: ImageDraft;
  /** By the paths of the field. */
  readonly errors: DraftErrors;
  readonly onChange: (image: ImageDraft) => void;
}

/** The inputs for what an image field asks of its images. */
export function ImageInputs({ image, errors, onChange }: ImageInputsProps) {
  const own = errorsBelow(errors, "image");
  const input = (key: keyof ImageDraft, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      inputMode={key === "ratio" ? "text" : "numeric"}
      autoComplete="off"
      placeholder={key === "ratio" ? "6:5" : ""}
      value={image[key]}
      error={own[key]}
      onChange={({ currentTarget }) => onChange({ ...image, [key]: currentTarget.value })}
    />
  );
  return (
    <>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        {input("width", "Recommended width", "In pixels.")}
        {input("height", "Recommended height", "In pixels.")}
      </Group>
      {input("ratio", "Ratio", "Width to height. Images of another ratio are refused.")}
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        {input("minWidth", "Minimum width", "Narrower images are refused.")}
        {input("minHeight", "Minimum height", "Lower images are refused.")}
      </Group>
    </>
  );
}
