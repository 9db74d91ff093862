import { Stack } from "@mantine/core";
import type { MutableMail } from "#libs/domain/settings.ts";
import { Section } from "../editing/section.tsx";
import { QueryView } from "../shell/states.tsx";
import { useMay } from "../shell/workspace.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { useSettings, type WorkspaceSettings } from "./use-settings.ts";

interface MailWords {
  readonly mail: MutableMail;
  readonly label: string;
  readonly description: string;
}

const TO_US: readonly MailWords[] = [
  {
    mail: "adWaiting",
    label: "Ads to review",
    description: "An advertiser has submitted an ad or an update of one.",
  },
  {
    mail: "paymentFailed",
    label: "Failed payments",
    description: "An advertiser's payment did not go through.",
  },
  {
    mail: "subscriptionCanceled",
    label: "Cancellations",
    description: "A subscription has been canceled, or is going to end.",
  },
];
const TO_ADVERTISERS: readonly MailWords[] = [
  {
    mail: "monthlyReports",
    label: "Monthly reports",
    description: "What their ads have brought in the month. Each advertiser can unsubscribe.",
  },
];

/** Which mails are sent on the workspace's behalf. */
export function MailsTab() {
  const settings = useSettings();
  const mayChange = useMay("Owner");
  const hint = mayChange ? {} : { text: "An Owner can change this." };
  return (
    <QueryView query={settings}>
      {({ mails }) => (
        <Stack gap="lg" maw={760}>
          <Section title="To Owners and Managers" {...hint}>
            <Switches words={TO_US} mails={mails} />
          </Section>
          <Section
            title="To advertisers"
            text="Decisions on their ads, and failed payments, are always told."
          >
            <Switches words={TO_ADVERTISERS} mails={mails} />
          </Section>
        </Stack>
      )}
    </QueryView>
  );
}

interface SwitchesProps {
  readonly words: readonly MailWords[];
  readonly mails: WorkspaceSettings["mails"];
}

function Switches({ words, mails }: SwitchesProps) {
  return (
    <Stack gap="md">
      {words.map(({ mail, label, description }) => (
        <SettingSwitch
          key={mail}
          label={label}
          description={description}
          isOn={mails[mail]}
          changeTo={(isOn) => ({ mails: { [mail]: isOn } })}
        />
      ))}
    </Stack>
  );
}
