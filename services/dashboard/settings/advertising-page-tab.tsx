import { Anchor, Stack, TextInput } from "@mantine/core";
import { workspaceValues } from "#libs/contract/workspaces.ts";
import { api, query } from "../api/client.ts";
import { advertiseLink, useMay, useWorkspace } from "../api/workspace.ts";
import { checkInput } from "../components/forms/check-input.ts";
import { DraftForm, useSavedForm } from "../components/forms/draft-form.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { ContactCard } from "./contact-card.tsx";
import { MediaKitCard } from "./media-kit-card.tsx";
import { SettingSwitch, useSettings } from "./setting-switch.tsx";

/** What advertisers see before they buy: the page's address, a contact, stats and the media kit. */
export function AdvertisingPageTab() {
  const settings = useSettings();
  return (
    <QueryView query={settings}>
      {(found) => (
        <Stack gap="lg">
          <AddressCard />
          <MediaKitCard settings={found} />
          <ContactCard />
          <Section isSplit title="Public stats">
            <SettingSwitch
              label="Show on the advertising page"
              description="Impressions, clicks and visitors of the last 30 days, visible to everyone."
              isOn={found.audiencePublic}
              changeTo={(audiencePublic) => ({ audiencePublic })}
            />
          </Section>
        </Stack>
      )}
    </QueryView>
  );
}

function AddressCard() {
  const workspace = useWorkspace();
  const mayChange = useMay("Owner");
  const link = advertiseLink(workspace);
  return (
    <Section isSplit title="Address" text="Share this page with advertisers, or link to it from your site.">
      <Anchor href={link} target="_blank" rel="noopener" size="sm" style={{ wordBreak: "break-all" }}>
        {link}
      </Anchor>
      {mayChange ? <AddressForm /> : null}
    </Section>
  );
}

const shape = workspaceValues.pick({ slug: true });

function AddressForm() {
  const workspace = useWorkspace();
  const state = useSavedForm(workspace, ({ slug }) => ({ slug }), {
    check: ({ slug }) => checkInput(shape, { slug: slug.trim() }),
    send: (input) => api.workspaces.update({ workspaceId: workspace.id, ...input }),
    done: "Address saved",
    reload: [query.workspaces.key()],
  });
  const isChanged = state.draft.slug !== workspace.slug;
  return (
    <DraftForm state={state} label="Address" action="Save" isDisabled={!state.isDirty}>
      <TextInput
        label="Slug"
        required
        description={isChanged ? "Links to the old address stop working." : "The last part of the address."}
        autoComplete="off"
        spellCheck={false}
        {...state.bind("slug")}
      />
    </DraftForm>
  );
}
