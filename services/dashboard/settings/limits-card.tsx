import { DraftForm } from "../editing/draft-form.tsx";
import { Section } from "../editing/section.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { useLeaveGuard } from "../editing/use-leave-guard.ts";
import { notifyDone } from "../shell/notify.ts";
import { fieldErrorsOf } from "../shell/problems.ts";
import { useMay } from "../shell/workspace.tsx";
import { Facts } from "./facts.tsx";
import { LimitInput, limitWords } from "./limit-input.tsx";
import { checkLimits, draftOfLimits } from "./limits-draft.ts";
import { useSaveSettings, type WorkspaceSettings } from "./use-settings.ts";

interface LimitsProps {
  readonly settings: WorkspaceSettings;
}

/** How many events of one visitor count. */
export function LimitsCard({ settings }: LimitsProps) {
  const mayChange = useMay("Owner");
  const { impressionsPerMinute, clicksPerMinute } = settings.limitsInEffect;
  return (
    <Section
      title="Tracking limits"
      text="How many impressions and clicks of one ad are taken from one address in a minute. What is over the limit is not counted."
    >
      {mayChange ? (
        <LimitsForm settings={settings} />
      ) : (
        <Facts
          facts={[
            ["Impressions", limitWords(impressionsPerMinute)],
            ["Clicks", limitWords(clicksPerMinute)],
          ]}
        />
      )}
    </Section>
  );
}

function LimitsForm({ settings: { limits, limitsInEffect } }: LimitsProps) {
  const state = useDraft(draftOfLimits(limits));
  useLeaveGuard(state.isDirty);
  const { save, isSaving } = useSaveSettings({
    onSaved: (saved) => {
      state.restart(draftOfLimits(saved.limits));
      notifyDone("Limits saved");
    },
    onRefused: (error) => {
      const problems = fieldErrorsOf(error);
      const impressions = problems["limits.impressionsPerMinute"];
      const clicks = problems["limits.clicksPerMinute"];
      if (impressions === undefined && clicks === undefined) return state.refuseBy(error);
      state.refuse({
        ...(impressions === undefined ? {} : { impressions: impressions.join(" ") }),
        ...(clicks === undefined ? {} : { clicks: clicks.join(" ") }),
      });
    },
  });
  const submit = () => {
    const checked = checkLimits(state.draft);
    if ("errors" in checked) state.refuse(checked.errors);
    else save({ limits: checked.input });
  };
  const { draft, errors, change } = state;
  return (
    <DraftForm
      state={state}
      label="Tracking limits"
      submit="Save limits"
      isSaving={isSaving}
      isDisabled={!state.isDirty}
      onSubmit={submit}
    >
      <LimitInput
        label="Impressions"
        limit={draft.impressions}
        saved={limits.impressionsPerMinute}
        inEffect={limitsInEffect.impressionsPerMinute}
        error={errors.impressions}
        onChange={(impressions) => change({ impressions })}
      />
      <LimitInput
        label="Clicks"
        limit={draft.clicks}
        saved={limits.clicksPerMinute}
        inEffect={limitsInEffect.clicksPerMinute}
        error={errors.clicks}
        onChange={(clicks) => change({ clicks })}
      />
    </DraftForm>
  );
}
