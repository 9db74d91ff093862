import { NativeSelect } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { useMay } from "../api/workspace.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { useSettingsForm } from "./setting-switch.tsx";

interface AlertsProps {
  readonly settings: WorkspaceSettings;
}

const HOURS_LABEL = "Time without views";
const PERCENT_LABEL = "Invalid traffic";

const HOURS = [1, 3, 6, 12, 24, 48, 72, 168];
const PERCENTS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/** The settings of emails about live ads with which something is wrong. */
export function AlertsCard({ settings }: AlertsProps) {
  const mayChange = useMay("Owner");
  const { hours, invalidPercent } = settings.alerts;
  return (
    <Section
      isSplit
      title="Alerts"
      text={`We look every hour at ads that were live the whole time, and email owners and managers once about each. Ads with too few views to tell are left out.${settings.mails.adAlert ? "" : " These emails are turned off above."}`}
    >
      {mayChange ? (
        <AlertsForm settings={settings} />
      ) : (
        <Facts>
          <Fact name={HOURS_LABEL}>{hoursWords(hours)}</Fact>
          <Fact name={PERCENT_LABEL}>{percentWords(invalidPercent)}</Fact>
        </Facts>
      )}
    </Section>
  );
}

function AlertsForm({ settings }: AlertsProps) {
  const state = useSettingsForm(settings, ({ alerts }) => alerts, {
    check: (alerts) => ({ input: { alerts } }),
    done: "Alerts saved",
  });
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Alerts" action="Save" isDisabled={!state.isDirty}>
      <NativeSelect
        label={HOURS_LABEL}
        data={withSaved(HOURS, settings.alerts.hours).map((hours) => ({
          value: String(hours),
          label: hoursWords(hours),
        }))}
        value={String(draft.hours)}
        error={errors["alerts.hours"]}
        onChange={({ currentTarget }) => change({ hours: Number(currentTarget.value) })}
      />
      <NativeSelect
        label={PERCENT_LABEL}
        description="The share of events in that time that don’t count."
        data={withSaved(PERCENTS, settings.alerts.invalidPercent).map((percent) => ({
          value: String(percent),
          label: percentWords(percent),
        }))}
        value={String(draft.invalidPercent)}
        error={errors["alerts.invalidPercent"]}
        onChange={({ currentTarget }) => change({ invalidPercent: Number(currentTarget.value) })}
      />
    </DraftForm>
  );
}

/** The API takes others than the usual ones. */
function withSaved(usual: readonly number[], saved: number): readonly number[] {
  return [...new Set([...usual, saved])].sort((one, other) => one - other);
}

function hoursWords(hours: number): string {
  if (hours === 1) return "1 hour";
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;
}

function percentWords(percent: number): string {
  return percent === 100 ? "100%" : `${percent}% or more`;
}
