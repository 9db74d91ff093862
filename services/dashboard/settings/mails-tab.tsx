import { Stack } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import { useMay } from "../api/workspace.ts";
import { DroppedEmailsNotice } from "../components/dropped-emails.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { SettingSwitch, useSettings } from "./setting-switch.tsx";

interface MailTexts {
  readonly mail: MutableMail;
  readonly label: string;
  readonly description: string;
}

const TO_US: readonly MailTexts[] = [
  {
    mail: "purchase",
    label: "Purchases",
    description: "An advertiser bought a placement, or hasn’t submitted an ad 3 days later.",
  },
  { mail: "adWaiting", label: "Ads to review", description: "An advertiser submitted an ad or an edit." },
  {
    mail: "paymentFailed",
    label: "Failed and disputed payments",
    description: "An advertiser’s payment didn’t go through, or they dispute it at the bank.",
  },
  {
    mail: "subscriptionCanceled",
    label: "Cancellations",
    description: "A subscription was canceled or is about to end, or a cancellation was withdrawn.",
  },
];
const TO_ADVERTISERS: readonly MailTexts[] = [
  {
    mail: "monthlyReports",
    label: "Monthly reports",
    description: "Monthly ad performance. Each advertiser can unsubscribe.",
  },
];

/** The emails that are sent for the workspace. */
export function MailsTab() {
  const settings = useSettings();
  const mayChange = useMay("Owner");
  const hint = mayChange ? {} : { text: "Only owners can change this." };
  return (
    <QueryView query={settings}>
      {({ mails }) => (
        <Stack gap="lg" maw={760}>
          <DroppedEmailsNotice />
          <Section title="To owners and managers" {...hint}>
            <Switches mails={TO_US} settings={mails} />
          </Section>
          <Section
            title="To advertisers"
            text="Advertisers are always notified of review decisions and failed payments."
          >
            <Switches mails={TO_ADVERTISERS} settings={mails} />
          </Section>
        </Stack>
      )}
    </QueryView>
  );
}

interface SwitchesProps {
  readonly mails: readonly MailTexts[];
  readonly settings: WorkspaceSettings["mails"];
}

function Switches({ mails, settings }: SwitchesProps) {
  return (
    <Stack gap="md">
      {mails.map(({ mail, ...texts }) => (
        <SettingSwitch
          key={mail}
          {...texts}
          isOn={settings[mail]}
          changeTo={(isOn) => ({ mails: { [mail]: isOn } })}
        />
      ))}
    </Stack>
  );
}
