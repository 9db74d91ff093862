import { Button, CloseButton, Input, NativeSelect, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { FEATURE_TYPES, type TierFeature } from "#libs/domain/tier.ts";
import type { DraftErrors } from "../editing/draft-errors.ts";
import { moveItem } from "../sortable/move.ts";
import { SortableList } from "../sortable/sortable-list.tsx";
import { type FeatureDraft, MOST_FEATURES, newFeature } from "./tier-draft.ts";
import classes from "./tiers.module.css";

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

/** The lines of a tier's card, in their order. */
export function FeaturesInput({ features, errors, onChange }: FeaturesInputProps) {
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
      description={`What one gets, and what not: up to ${MOST_FEATURES} lines.`}
      error={errors.features}
    >
      <div style={{ marginTop: 8 }} ref={list}>
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
                  const type = FEATURE_TYPES.find((one) => one === currentTarget.value);
                  if (type !== undefined) change(index, { type });
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
        {features.length >= MOST_FEATURES ? null : (
          <Button
            mt={features.length === 0 ? 0 : "sm"}
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={add}
          >
            Add a feature
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
