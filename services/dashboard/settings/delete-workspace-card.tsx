import { Button, Group, List, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Dialog } from "../components/dialog.tsx";
import { DownloadButton } from "../components/download-button.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Section } from "../components/section.tsx";

/** Exports the workspace's data, and deletes the workspace. For owners. */
export function DeleteWorkspaceCard() {
  const { id } = useWorkspace();
  const isOwner = useMay("Owner");
  const [isOpen, setOpen] = useState(false);
  if (!isOwner) return null;
  return (
    <Section
      title="Delete workspace"
      text="Your ads stop showing immediately, and every subscription is canceled. This can’t be undone, so export your data first."
    >
      <Group gap="sm">
        <DownloadButton href={`/v1/workspaces/${encodeURIComponent(id)}/export`}>Export data</DownloadButton>
        <Button color="red.9" onClick={() => setOpen(true)}>
          Delete workspace
        </Button>
      </Group>
      {isOpen ? <DeleteWorkspaceDialog onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

function DeleteWorkspaceDialog({ onClose }: { readonly onClose: () => void }) {
  const { id: workspaceId, name: expected } = useWorkspace();
  const state = useSubmission(
    { name: "" },
    {
      check: ({ name }) => (name === expected ? {} : { name: "This isn’t the name of the workspace." }),
      send: async ({ name }) => {
        await api.workspaces.delete({ workspaceId, name });
        // A full page load, so that nothing of the workspace remains.
        location.assign("/");
      },
    },
  );
  return (
    <Dialog title={`Delete ${expected}?`} onClose={onClose}>
      <List size="sm" spacing={6}>
        <List.Item>Nothing is shown or sold from this moment on.</List.Item>
        <List.Item>Nobody is a member anymore, and API keys stop working.</List.Item>
        <List.Item>
          Every subscription is canceled, and the advertisers get an email. Nothing is refunded.
        </List.Item>
        <List.Item>Ads, advertisers, images, stats and the audit log are deleted.</List.Item>
        <List.Item>Invoices are kept without names, as long as the law requires.</List.Item>
      </List>
      <ShortForm state={state} action="Delete workspace" button={{ color: "red.9" }}>
        <TextInput
          label={`To confirm, type ${expected}`}
          required
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...state.bind("name")}
        />
      </ShortForm>
    </Dialog>
  );
}
