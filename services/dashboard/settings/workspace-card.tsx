import { Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { WebLink } from "../ads/web-link.tsx";
import { DraftForm } from "../editing/draft-form.tsx";
import { Section } from "../editing/section.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { useLeaveGuard } from "../editing/use-leave-guard.ts";
import { query } from "../shell/client.ts";
import { notifyDone } from "../shell/notify.ts";
import { useMay, useWorkspace, type Workspace } from "../shell/workspace.tsx";
import { advertiseLink } from "../tiers/advertise-link.ts";
import { CurrencySelect } from "../tiers/currency-select.tsx";
import { Facts } from "./facts.tsx";
import { checkWorkspace, type WorkspaceDraft } from "./workspace-draft.ts";

/** What the workspace is called and where it is found. */
export function WorkspaceCard() {
  const workspace = useWorkspace();
  const mayChange = useMay("Owner");
  const { name, websiteUrl, currency } = workspace;
  if (mayChange) {
    return (
      <Section title="Workspace">
        <WorkspaceForm />
      </Section>
    );
  }
  const advertise = advertiseLink(workspace);
  return (
    <Section title="Workspace" text="An Owner can change this.">
      <Facts
        facts={[
          ["Name", name],
          ["Advertise page", <WebLink key="page" url={advertise} text={advertise} />],
          [
            "Website",
            websiteUrl === null ? "None" : <WebLink key="site" url={websiteUrl} text={websiteUrl} />,
          ],
          ["Currency", currency.toUpperCase()],
        ]}
      />
    </Section>
  );
}

function WorkspaceForm() {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const state = useDraft(draftOf(workspace));
  useLeaveGuard(state.isDirty);
  const update = useMutation(
    query.workspaces.update.mutationOptions({
      onSuccess: (changed) => {
        state.restart(draftOf(changed));
        void queryClient.invalidateQueries({ queryKey: query.workspaces.key() });
        notifyDone("Workspace saved");
      },
      onError: state.refuseBy,
    }),
  );
  const submit = () => {
    const checked = checkWorkspace(state.draft);
    if ("errors" in checked) state.refuse(checked.errors);
    else update.mutate({ workspaceId: workspace.id, ...checked.input });
  };
  const { draft, errors, change } = state;
  const isMoved = draft.slug !== workspace.slug;
  return (
    <DraftForm
      state={state}
      label="Workspace"
      submit="Save changes"
      isSaving={update.isPending}
      isDisabled={!state.isDirty}
      onSubmit={submit}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          description="Advertisers see it on your advertise page and in mails."
          value={draft.name}
          error={errors.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TextInput
          label="Slug"
          required
          description={`Your advertise page: ${advertiseLink(draft)}${isMoved ? ". Links to its old address stop working." : ""}`}
          autoComplete="off"
          spellCheck={false}
          value={draft.slug}
          error={errors.slug}
          onChange={({ currentTarget }) => change({ slug: currentTarget.value })}
        />
        <TextInput
          label="Website"
          type="url"
          inputMode="url"
          description="Where your placements are."
          placeholder="https://example.com"
          value={draft.websiteUrl}
          error={errors.websiteUrl}
          onChange={({ currentTarget }) => change({ websiteUrl: currentTarget.value })}
        />
        <CurrencySelect
          description="What totals are shown in and new prices begin with. Prices that are there keep theirs."
          value={draft.currency}
          error={errors.currency}
          onChange={(currency) => change({ currency })}
        />
      </Stack>
    </DraftForm>
  );
}

function draftOf({ name, slug, websiteUrl, currency }: Workspace): WorkspaceDraft {
  return { name, slug, websiteUrl: websiteUrl ?? "", currency };
}
