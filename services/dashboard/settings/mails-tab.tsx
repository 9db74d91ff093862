import { Stack } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import { useMay } from "../api/workspace.ts";
import { DroppedEmailsNotice } from "../components/dropped-emails.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { AlertsCard } from "./alerts-card.tsx";
import { AdvertisersWithReports, ReportEmailsCard } from "./report-emails-card.tsx";
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
    description: "New purchases, and reminders while no ad arrives.",
  },
  { mail: "adWaiting", label: "Ads to review", description: "New ads and edits." },
  {
    mail: "paymentFailed",
    label: "Failed and disputed payments",
    description: "Payments that fail, or that the advertiser disputes at the bank.",
  },
  {
    mail: "subscriptionCanceled",
    label: "Cancellations",
    description: "Subscriptions that are canceled, will be canceled, or are resumed.",
  },
  { mail: "adAlert", label: "Alerts", description: "Live ads without views, or with much invalid traffic." },
];
const TO_ADVERTISERS: readonly MailTexts[] = [
  {
    mail: "monthlyReports",
    label: "Reports",
    description: "What their ads brought, each month or each week. Advertisers choose, and can unsubscribe.",
  },
];

/** The emails that are sent for the workspace. */
export function MailsTab() {
  const settings = useSettings();
  const mayChange = useMay("Owner");
  const hint = mayChange ? {} : { text: "Only owners can change this." };
  return (
    <QueryView query={settings}>
      {(found) => (
        <Stack gap="lg">
          <DroppedEmailsNotice />
          <Section isSplit title="To owners and managers" {...hint}>
            <Switches mails={TO_US} settings={found.mails} />
          </Section>
          <AlertsCard settings={found} />
          <Section
            isSplit
            title="To advertisers"
            text="Emails about review decisions and failed payments are always sent."
          >
            <Switches mails={TO_ADVERTISERS} settings={found.mails} />
            <AdvertisersWithReports areSent={found.mails.monthlyReports} />
          </Section>
          <ReportEmailsCard />
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
