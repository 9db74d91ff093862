import { TextInput } from "@mantine/core";
import { type WorkspaceSettings, workspaceSettings } from "#libs/contract/settings.ts";
import { UTM_PARAMETERS, type Utm, type UtmParameter } from "#libs/domain/utm.ts";
import { useMay } from "../api/workspace.ts";
import { checkInput } from "../components/forms/check-input.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { useSettingsForm } from "./setting-switch.tsx";

const EXAMPLES: Readonly<Record<UtmParameter, string>> = {
  source: "example-weekly",
  medium: "newsletter",
  campaign: "sponsors",
};

interface UtmProps {
  readonly settings: WorkspaceSettings;
}

/** What clicks add to an advertiser's address. */
export function UtmCard({ settings }: UtmProps) {
  const mayChange = useMay("Owner");
  return (
    <Section
      isSplit
      title="UTM parameters"
      text="Added to every click, so advertisers see your traffic in their analytics. Existing UTM tags are kept. {ad} and {tier} stand for the names of the ad and its tier."
    >
      {mayChange ? (
        <UtmForm settings={settings} />
      ) : (
        <Facts>
          {UTM_PARAMETERS.map((parameter) => (
            <Fact key={parameter} name={`utm_${parameter}`}>
              {settings.utm[parameter] ?? "None"}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}

function draftOf({ utm: { source, medium, campaign } }: WorkspaceSettings) {
  return { source: source ?? "", medium: medium ?? "", campaign: campaign ?? "" };
}

const shape = workspaceSettings.pick({ utm: true });

function checkUtm({ source, medium, campaign }: ReturnType<typeof draftOf>) {
  const utm: Utm = { source: orNull(source), medium: orNull(medium), campaign: orNull(campaign) };
  return checkInput(shape, { utm });
}

function orNull(typed: string): string | null {
  const value = typed.trim();
  return value === "" ? null : value;
}

function UtmForm({ settings }: UtmProps) {
  const state = useSettingsForm(settings, draftOf, {
    check: checkUtm,
    done: "UTM parameters saved",
  });
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="UTM parameters" action="Save" isDisabled={!state.isDirty}>
      {UTM_PARAMETERS.map((parameter) => (
        <TextInput
          key={parameter}
          label={`utm_${parameter}`}
          autoComplete="off"
          placeholder={EXAMPLES[parameter]}
          value={draft[parameter]}
          error={errors[`utm.${parameter}`]}
          onChange={({ currentTarget }) => change({ [parameter]: currentTarget.value })}
        />
      ))}
    </DraftForm>
  );
}
