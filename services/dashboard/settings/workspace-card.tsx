import { Stack, TextInput } from "@mantine/core";
import { api, query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { CurrencySelect } from "../components/currency-select.tsx";
import { DraftForm, useSavedForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { WebLink } from "../components/web-link.tsx";
import { checkWorkspace, draftOfWorkspace } from "./workspace-draft.ts";

/** The workspace's name, website and currency. */
export function WorkspaceCard() {
  const workspace = useWorkspace();
  const mayChange = useMay("Owner");
  const { name, websiteUrl, currency } = workspace;
  if (mayChange) {
    return (
      <Section isSplit title="Workspace">
        <WorkspaceForm />
      </Section>
    );
  }
  return (
    <Section isSplit title="Workspace" text="Only owners can change this.">
      <Facts>
        <Fact name="Name">{name}</Fact>
        <Fact name="Website">
          {websiteUrl === null ? "None" : <WebLink url={websiteUrl} text={websiteUrl} />}
        </Fact>
        <Fact name="Currency">{currency.toUpperCase()}</Fact>
      </Facts>
    </Section>
  );
}

function WorkspaceForm() {
  const workspace = useWorkspace();
  const state = useSavedForm(workspace, draftOfWorkspace, {
    check: checkWorkspace,
    send: (input) => api.workspaces.update({ workspaceId: workspace.id, ...input }),
    done: "Workspace saved",
    reload: [query.workspaces.key()],
  });
  const { bind, draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Workspace" action="Save" isDisabled={!state.isDirty}>
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          description="Advertisers see it on your advertising page and in emails."
          {...bind("name")}
        />
        <TextInput
          label="Website"
          type="url"
          inputMode="url"
          description="Where your placements are."
          placeholder="https://example.com"
          {...bind("websiteUrl")}
        />
        <CurrencySelect
          description="Used for totals and as the default for new prices. Existing prices don’t change."
          value={draft.currency}
          error={errors.currency}
          onChange={(currency) => change({ currency })}
        />
      </Stack>
    </DraftForm>
  );
}
