import { Stack } from "@mantine/core";
import { Section } from "../editing/section.tsx";
import { QueryView } from "../shell/states.tsx";
import { LimitsCard } from "./limits-card.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { useSettings } from "./use-settings.ts";

/** What is counted, and who is told of it. */
export function TrackingTab() {
  const settings = useSettings();
  return (
    <QueryView query={settings}>
      {(found) => (
        <Stack gap="lg" maw={760}>
          <LimitsCard settings={found} />
          <Section title="Audience figures">
            <SettingSwitch
              label="Show on the advertise page"
              description="Impressions, clicks and visitors of the last 30 days, for everybody to see."
              isOn={found.audiencePublic}
              changeTo={(audiencePublic) => ({ audiencePublic })}
            />
          </Section>
        </Stack>
      )}
    </QueryView>
  );
}
