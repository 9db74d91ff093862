import { Button, Group, List, Radio, Stack, TextInput } from "@mantine/core";
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
      isSplit
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
    { name: "", refund: "" },
    {
      check: ({ name, refund }) => ({
        ...(name === expected ? {} : { name: "This isn’t the name of the workspace." }),
        ...(refund === "" ? { refund: "Choose what happens to the money." } : {}),
      }),
      send: async ({ name, refund }) => {
        await api.workspaces.delete({ workspaceId, name, refund: refund === "yes" });
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
        <List.Item>Every subscription is canceled, and the advertisers get an email.</List.Item>
        <List.Item>Ads, advertisers, images, stats and the audit log are deleted.</List.Item>
        <List.Item>Invoices are kept without names, as long as the law requires.</List.Item>
      </List>
      <ShortForm state={state} action="Delete workspace" button={{ color: "red.9" }}>
        <Radio.Group
          label="Paid time that is left"
          error={state.bind("refund").error}
          value={state.draft.refund}
          onChange={(refund) => state.change({ refund })}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="yes"
              label="Refund it"
              description="The unused part of the current periods, and everything for ads that never ran."
            />
            <Radio value="no" label="Refund nothing" />
          </Stack>
        </Radio.Group>
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
