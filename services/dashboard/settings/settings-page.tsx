import { Stack, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentType, useEffect, useRef } from "react";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Page } from "../components/page.tsx";
import { AdvertisingPageTab } from "./advertising-page-tab.tsx";
import { ApiKeysCard } from "./api-keys-card.tsx";
import { DeleteWorkspaceCard } from "./delete-workspace-card.tsx";
import { EmbedTab } from "./embed-tab.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MailsTab } from "./mails-tab.tsx";
import { MembersCard } from "./members-card.tsx";
import { PaymentsTab } from "./payments-tab.tsx";
import { RepliesCard } from "./replies-card.tsx";
import { ReportsCard } from "./reports-card.tsx";
import { SETTINGS_TABS, type SettingsTab } from "./search.ts";
import classes from "./settings.module.css";
import { TrackingKeysCard } from "./tracking-keys-card.tsx";
import { TrackingTab } from "./tracking-tab.tsx";
import { WorkspaceCard } from "./workspace-card.tsx";

const TABS: Readonly<Record<SettingsTab, { readonly label: string; readonly Cards: ComponentType }>> = {
  general: { label: "General", Cards: GeneralTab },
  page: { label: "Advertising page", Cards: AdvertisingPageTab },
  embed: { label: "Embed", Cards: EmbedTab },
  members: { label: "Members", Cards: MembersTab },
  payments: { label: "Payments", Cards: PaymentsTab },
  tracking: { label: "Tracking", Cards: TrackingTab },
  mails: { label: "Emails", Cards: MailsTab },
  developers: { label: "Developers", Cards: DevelopersTab },
};

/** The settings of a workspace. The address names the tab. */
export function SettingsPage() {
  const { id: workspaceId } = useWorkspace();
  const { tab = SETTINGS_TABS[0] } = useSearch({ from: "/signed-in/w/$workspaceId/settings" });
  const navigate = useNavigate();
  const show = (value: string | null) => {
    const chosen = SETTINGS_TABS.find((one) => one === value) ?? SETTINGS_TABS[0];
    void navigate({
      to: "/w/$workspaceId/settings",
      params: { workspaceId },
      search: chosen === SETTINGS_TABS[0] ? {} : { tab: chosen },
    });
  };
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone the last tabs are out of sight, and links lead to them too.
  useEffect(() => {
    tabs.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest" });
  }, [tab]);
  return (
    <Page title="Settings">
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List ref={tabs} mb="lg" className={classes.tabs ?? ""}>
          {SETTINGS_TABS.map((one) => (
            <Tabs.Tab key={one} value={one} data-tab={one}>
              {TABS[one].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SETTINGS_TABS.map((one) => {
          const { Cards } = TABS[one];
          return (
            <Tabs.Panel key={one} value={one}>
              <Cards />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}

function GeneralTab() {
  return (
    <Stack gap="lg">
      <WorkspaceCard />
      <ReportsCard />
      <RepliesCard />
      <DeleteWorkspaceCard />
    </Stack>
  );
}

/** What programs sign in with. */
function DevelopersTab() {
  return (
    <Stack gap="lg">
      <ApiKeysCard />
      <TrackingKeysCard />
    </Stack>
  );
}

function MembersTab() {
  const isOwner = useMay("Owner");
  return (
    <Stack gap="lg">
      <MembersCard />
      {isOwner ? <InvitationsCard /> : null}
    </Stack>
  );
}
