import { Group, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { formatCount } from "../components/format.ts";
import type { DraftState } from "../components/forms/use-draft.ts";
import { oneOf } from "../components/search.ts";
import { DefaultInput } from "./field-control.tsx";
import { type FieldDraft, keyOf, withType } from "./field-draft.ts";
import { TRAITS } from "./field-types.ts";
import { ImageInputs } from "./image-inputs.tsx";
import { OptionsInput } from "./options-input.tsx";

interface FieldInputsProps {
  readonly state: Pick<DraftState<FieldDraft>, "draft" | "errors" | "bind" | "change">;
  readonly taken: ReadonlySet<string>;
  readonly savedKey: string | null;
}

const TYPES = FIELD_TYPES.map((type) => ({ value: type, label: TRAITS[type].label }));

/** The inputs of a field. */
export function FieldInputs({ state, taken, savedKey }: FieldInputsProps) {
  const { bind, draft, errors, change } = state;
  return (
    <Stack gap="md">
      <TextInput label="Name" required placeholder="Tagline" {...bind("name")} />
      <Select
        label="Type"
        required
        allowDeselect={false}
        description={TRAITS[draft.type].hint}
        data={TYPES}
        value={draft.type}
        error={errors.type}
        onChange={(value) => {
          const type = oneOf(FIELD_TYPES, value);
          if (type !== null) change(withType(draft, type));
        }}
      />
      <KeyInput state={state} taken={taken} savedKey={savedKey} />
      <Textarea
        label="Description"
        description="Help text shown with the field."
        autosize
        minRows={1}
        maxRows={6}
        {...bind("description")}
      />
      {TRAITS[draft.type].hasOptions ? (
        <OptionsInput options={draft.options} errors={errors} onChange={(options) => change({ options })} />
      ) : null}
      <Limits state={state} />
      {draft.type === "Image" ? (
        <ImageInputs image={draft.image} errors={errors} onChange={(image) => change({ image })} />
      ) : null}
      {TRAITS[draft.type].hasPlaceholder ? (
        <TextInput
          label="Placeholder"
          description="Example text shown while the field is empty."
          {...bind("placeholder")}
        />
      ) : null}
      <DefaultInput draft={draft} error={errors.default} onChange={(value) => change({ default: value })} />
      <Switch
        label="Required"
        description="Advertisers must fill this in. Existing ads aren’t affected."
        checked={draft.isRequired}
        onChange={({ currentTarget }) => change({ isRequired: currentTarget.checked })}
      />
      <Switch
        label="Publisher only"
        description="For internal notes. Never shown to advertisers or visitors."
        checked={draft.isPublisherOnly}
        onChange={({ currentTarget }) => change({ isPublisherOnly: currentTarget.checked })}
      />
    </Stack>
  );
}

function KeyInput({ state: { draft, bind }, taken, savedKey }: FieldInputsProps) {
  const key = keyOf(draft, taken);
  const isRenamed = savedKey !== null && key !== savedKey;
  return (
    <TextInput
      label="Key"
      description={
        isRenamed
          ? `Your site reads this value as meta.${savedKey}. Change it there too.`
          : `Your site reads the value as meta.${key}.`
      }
      placeholder={key}
      autoComplete="off"
      spellCheck={false}
      {...bind("key")}
    />
  );
}

function Limits({ state: { draft, bind } }: Pick<FieldInputsProps, "state">) {
  const { longest, hasBounds } = TRAITS[draft.type];
  if (longest !== null) {
    return (
      <TextInput
        label="Maximum length"
        description={`Up to ${formatCount(longest)} characters (default ${formatCount(longest)}).`}
        inputMode="numeric"
        autoComplete="off"
        {...bind("maxLength")}
      />
    );
  }
  if (!hasBounds) return null;
  return (
    <Group gap="sm" align="flex-start" grow>
      <TextInput label="Minimum" inputMode="decimal" autoComplete="off" {...bind("min")} />
      <TextInput label="Maximum" inputMode="decimal" autoComplete="off" {...bind("max")} />
    </Group>
  );
}
