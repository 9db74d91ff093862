import { Stack, Textarea, TextInput } from "@mantine/core";
import type { DraftState } from "../editing/use-draft.ts";
import { FeaturesInput } from "./features-input.tsx";
import type { TierDraft } from "./tier-draft.ts";

interface TierInputsProps {
  readonly state: Pick<DraftState<TierDraft>, "draft" | "errors" | "change">;
}

/** The inputs of all that a tier is but for its prices. */
export function TierInputs({ state: { draft, errors, change } }: TierInputsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        required
        placeholder="Gold"
        value={draft.name}
        error={errors.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="Weight"
        required
        description="How often its ads come first, next to those of other tiers: weight 3 three times as often as weight 1."
        inputMode="decimal"
        autoComplete="off"
        value={draft.weight}
        error={errors.weight}
        onChange={({ currentTarget }) => change({ weight: currentTarget.value })}
        maw={420}
      />
      <Textarea
        label="Description"
        placeholder="Top of every page, seen by everybody who visits."
        autosize
        minRows={2}
        maxRows={8}
        value={draft.description}
        error={errors.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      <FeaturesInput
        features={draft.features}
        errors={errors}
        onChange={(features) => change({ features })}
      />
    </Stack>
  );
}
