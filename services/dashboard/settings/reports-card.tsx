import { Checkbox, Group } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import { DIMENSION_WORDS } from "#libs/domain/report-words.ts";
import { useMay } from "../api/workspace.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { TimeZoneSelect } from "../components/time-zone-select.tsx";
import { useSettings, useSettingsForm } from "./setting-switch.tsx";

const TIME_ZONE = "Time zone";
const SPLITS = "Splits for advertisers";
const USUAL = "UTC";

/** The default time zone of reports, and what advertisers see of the report of their ad. */
export function ReportsCard() {
  const mayChange = useMay("Owner");
  const query = useSettings();
  return (
    <Section
      isSplit
      title="Reports"
      text="Days start and end in this time zone. Advertisers see the report of their own ad."
    >
      <QueryView query={query}>
        {(settings) =>
          mayChange ? (
            <ReportsForm settings={settings} />
          ) : (
            <Facts>
              <Fact name={TIME_ZONE}>{settings.timeZone ?? USUAL}</Fact>
              <Fact name={SPLITS}>
                {settings.advertiserSplits.map((split) => DIMENSION_WORDS[split]).join(", ") || "None"}
              </Fact>
            </Facts>
          )
        }
      </QueryView>
    </Section>
  );
}

function draftOf({ timeZone, advertiserSplits }: WorkspaceSettings) {
  return { timeZone, advertiserSplits };
}

function ReportsForm({ settings }: { readonly settings: WorkspaceSettings }) {
  const state = useSettingsForm(settings, draftOf, {
    check: (draft) => ({ input: draft }),
    done: "Reports saved",
  });
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Reports" action="Save" isDisabled={!state.isDirty}>
      <TimeZoneSelect
        label={TIME_ZONE}
        usual={USUAL}
        value={draft.timeZone}
        error={errors.timeZone}
        onChange={(timeZone) => change({ timeZone })}
      />
      <Checkbox.Group
        label={SPLITS}
        description="What they can split it by. Counts below 5 show as “<5”."
        value={draft.advertiserSplits}
        // In the order of the boxes: the same choice is then no change.
        onChange={(chosen) =>
          change({ advertiserSplits: PLACE_COLUMNS.filter((split) => chosen.includes(split)) })
        }
      >
        <Group mt="xs">
          {PLACE_COLUMNS.map((split) => (
            <Checkbox key={split} value={split} label={DIMENSION_WORDS[split]} />
          ))}
        </Group>
      </Checkbox.Group>
    </DraftForm>
  );
}
