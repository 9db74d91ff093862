import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { useMay } from "../api/workspace.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { TimeZoneSelect } from "../components/time-zone-select.tsx";
import { useSettings, useSettingsForm } from "./setting-switch.tsx";

const LABEL = "Time zone";
const USUAL = "UTC";

/** The default time zone of reports. */
export function TimeZoneCard() {
  const mayChange = useMay("Owner");
  const query = useSettings();
  return (
    <Section isSplit title="Reports" text="Days in reports start and end in this time zone.">
      <QueryView query={query}>
        {(settings) =>
          mayChange ? (
            <TimeZoneForm settings={settings} />
          ) : (
            <Facts>
              <Fact name={LABEL}>{settings.timeZone ?? USUAL}</Fact>
            </Facts>
          )
        }
      </QueryView>
    </Section>
  );
}

function draftOf({ timeZone }: WorkspaceSettings) {
  return { timeZone };
}

function TimeZoneForm({ settings }: { readonly settings: WorkspaceSettings }) {
  const state = useSettingsForm(settings, draftOf, {
    check: (draft) => ({ input: draft }),
    done: "Time zone saved",
  });
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Reports" action="Save" isDisabled={!state.isDirty}>
      <TimeZoneSelect
        label={LABEL}
        usual={USUAL}
        value={draft.timeZone}
        error={errors.timeZone}
        onChange={(timeZone) => change({ timeZone })}
      />
    </DraftForm>
  );
}
