import { CloseButton, Input, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { MOST } from "#libs/domain/limits.ts";
import { FEATURE_TYPES, type TierFeature } from "#libs/domain/tier.ts";
import { AddButton } from "../components/forms/add-button.tsx";
import type { DraftErrors, DraftState } from "../components/forms/use-draft.ts";
import { oneOf } from "../components/search.ts";
import { moveItem } from "../components/sortable/move.ts";
import { SortableList } from "../components/sortable/sortable-list.tsx";
import { type FeatureDraft, newFeature, type TierDraft } from "./tier-draft.ts";
import classes from "./tiers.module.css";

interface TierInputsProps {
  readonly state: Pick<DraftState<TierDraft>, "draft" | "errors" | "bind" | "change">;
}

/** The inputs of a tier, except for its prices. */
export function TierInputs({ state: { draft, errors, bind, change } }: TierInputsProps) {
  return (
    <Stack gap="md">
      <TextInput label="Name" required placeholder="Gold" {...bind("name")} />
      <TextInput
        label="Weight"
        required
        description="Relative share of rotation. Weight 3 is shown first three times as often as weight 1."
        inputMode="decimal"
        autoComplete="off"
        {...bind("weight")}
        maw={420}
      />
      <Textarea
        label="Description"
        placeholder="Top of every page, seen by everybody who visits."
        autosize
        minRows={2}
        maxRows={8}
        {...bind("description")}
      />
      <FeaturesInput
        features={draft.features}
        errors={errors}
        onChange={(features) => change({ features })}
      />
    </Stack>
  );
}

interface FeaturesInputProps {
  readonly features: readonly FeatureDraft[];
  readonly errors: DraftErrors;
  readonly onChange: (features: FeatureDraft[]) => void;
}

const TYPE_LABELS: Readonly<Record<TierFeature["type"], string>> = {
  positive: "Included",
  negative: "Not included",
  neutral: "Note",
};

function FeaturesInput({ features, errors, onChange }: FeaturesInputProps) {
  const list = useRef<HTMLDivElement>(null);
  const [isAdded, setAdded] = useState(false);
  useEffect(() => {
    if (!isAdded) return;
    list.current?.querySelector<HTMLElement>("li:last-child input")?.focus();
    setAdded(false);
  }, [isAdded]);
  const add = () => {
    onChange([...features, newFeature()]);
    setAdded(true);
  };
  const change = (index: number, patch: Partial<TierFeature>) =>
    onChange(features.map((feature, at) => (at === index ? { ...feature, ...patch } : feature)));
  return (
    <Input.Wrapper
      label="Features"
      labelElement="div"
      description={`What’s included and what isn’t (up to ${MOST.features}).`}
      error={errors.features}
    >
      <Stack mt={8} gap={features.length === 0 ? 0 : "sm"} ref={list}>
        <SortableList
          items={features}
          label="Features"
          idOf={({ key }) => key}
          nameOf={({ label }) => (label.trim() === "" ? "empty line" : label)}
          isFixed={features.length < 2}
          onMove={(from, to) => onChange(moveItem(features, from, to))}
        >
          {(feature, handle, index) => (
            <div className={classes.feature} data-fixed={handle === null || undefined}>
              {handle}
              <NativeSelect
                aria-label={`Kind of feature ${index + 1}`}
                data={FEATURE_TYPES.map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
                value={feature.type}
                onChange={({ currentTarget }) => {
                  const type = oneOf(FEATURE_TYPES, currentTarget.value);
                  if (type !== null) change(index, { type });
                }}
              />
              <TextInput
                aria-label={`Feature ${index + 1}`}
                placeholder="First in rotation"
                value={feature.label}
                error={errors[`features.${index}.label`]}
                onChange={({ currentTarget }) => change(index, { label: currentTarget.value })}
                className={classes.label}
              />
              <CloseButton
                size="lg"
                className={classes.remove}
                aria-label={`Remove feature ${index + 1}`}
                onClick={() => onChange(features.toSpliced(index, 1))}
              />
            </div>
          )}
        </SortableList>
        <AddButton label="Add a feature" isFull={features.length >= MOST.features} onAdd={add} />
      </Stack>
    </Input.Wrapper>
  );
}
