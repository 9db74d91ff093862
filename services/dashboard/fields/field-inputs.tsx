import { Group, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { LONGEST_TEXT } from "#libs/domain/field-content.ts";
import type { DraftState } from "../editing/use-draft.ts";
import { DefaultInput } from "./default-input.tsx";
import { type FieldDraft, keyOf, withType } from "./field-draft.ts";
import { hasPlaceholder, TYPE_WORDS } from "./field-types.ts";
import { OptionsInput } from "./options-input.tsx";

interface FieldInputsProps {
  readonly state: Pick<DraftState<FieldDraft>, "draft" | "errors" | "change">;
  /** The other fields' keys. */
  readonly taken: ReadonlySet<string>;
  /** The key that sites read the value by so far; null for a new field. */
  readonly savedKey: string | null;
}

const TYPES = FIELD_TYPES.map((type) => ({ value: type, label: TYPE_WORDS[type].label }));

/** The inputs of a field: what it is called, what it takes, who fills it in. */
export function FieldInputs({ state, taken, savedKey }: FieldInputsProps) {
  const { draft, errors, change } = state;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        required
        placeholder="Tagline"
        value={draft.name}
        error={errors.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Select
        label="Type"
        required
        allowDeselect={false}
        description={TYPE_WORDS[draft.type].hint}
        data={TYPES}
        value={draft.type}
        error={errors.type}
        onChange={(value) => {
          const type = FIELD_TYPES.find((one) => one === value);
          if (type !== undefined) change(withType(draft, type));
        }}
      />
      <KeyInput state={state} taken={taken} savedKey={savedKey} />
      <Textarea
        label="Description"
        description="A hint that stands at the input."
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        error={errors.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      {draft.type === "Select" ? (
        <OptionsInput options={draft.options} errors={errors} onChange={(options) => change({ options })} />
      ) : null}
      <Limits state={state} />
      {hasPlaceholder(draft.type) ? (
        <TextInput
          label="Placeholder"
          description="An example in the empty input."
          value={draft.placeholder}
          error={errors.placeholder}
          onChange={({ currentTarget }) => change({ placeholder: currentTarget.value })}
        />
      ) : null}
      <DefaultInput draft={draft} error={errors.default} onChange={(value) => change({ default: value })} />
      <Switch
        label="Required"
        description="Advertisers cannot submit without it. Ads that are there already stay as they are."
        checked={draft.isRequired}
        onChange={({ currentTarget }) => change({ isRequired: currentTarget.checked })}
      />
      <Switch
        label="Publisher only"
        description="For your own notes: neither asked of advertisers nor served."
        checked={draft.isPublisherOnly}
        onChange={({ currentTarget }) => change({ isPublisherOnly: currentTarget.checked })}
      />
    </Stack>
  );
}

function KeyInput({ state: { draft, errors, change }, taken, savedKey }: FieldInputsProps) {
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
      value={draft.key}
      error={errors.key}
      onChange={({ currentTarget }) => change({ key: currentTarget.value })}
    />
  );
}

function Limits({ state: { draft, errors, change } }: Pick<FieldInputsProps, "state">) {
  if (draft.type === "Text" || draft.type === "Textarea") {
    return (
      <TextInput
        label="Longest text"
        description={`In characters, up to ${LONGEST_TEXT[draft.type]}. Empty for as many as that.`}
        inputMode="numeric"
        autoComplete="off"
        value={draft.maxLength}
        error={errors.maxLength}
        onChange={({ currentTarget }) => change({ maxLength: currentTarget.value })}
      />
    );
  }
  if (draft.type !== "Number") return null;
  return (
    <Group gap="sm" align="flex-start" grow>
      <TextInput
        label="Minimum"
        inputMode="decimal"
        autoComplete="off"
        value={draft.min}
        error={errors.min}
        onChange={({ currentTarget }) => change({ min: currentTarget.value })}
      />
      <TextInput
        label="Maximum"
        inputMode="decimal"
        autoComplete="off"
        value={draft.max}
        error={errors.max}
        onChange={({ currentTarget }) => change({ max: currentTarget.value })}
      />
    </Group>
  );
}
