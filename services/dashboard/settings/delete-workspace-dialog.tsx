import { List, Stack, TextInput } from "@mantine/core";
import { Dialog } from "../account/dialog.tsx";
import { api } from "../shell/client.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";

/** Says what the deletion does, and asks for the workspace's name. */
export function DeleteWorkspaceDialog({ onClose }: { readonly onClose: () => void }) {
  const { id: workspaceId, name: expected } = useWorkspace();
  const state = useSubmission(
    { name: "" },
    {
      check: ({ name }) => (name === expected ? {} : { name: "This is not the name of the workspace." }),
      send: async ({ name }) => {
        await api.workspaces.delete({ workspaceId, name });
        // A new document, with nothing left of the workspace.
        location.assign("/");
      },
    },
  );
  const { draft, errors, change } = state;
  return (
    <Dialog title={`Delete ${expected}?`} onClose={onClose}>
      <Stack gap="md">
        <List size="sm" spacing={6}>
          <List.Item>Nothing is served or sold from this moment on.</List.Item>
          <List.Item>Nobody is a member any more, and no API key works.</List.Item>
          <List.Item>
            Every subscription is canceled, and the advertisers get a mail. Nothing is refunded.
          </List.Item>
          <List.Item>Ads, advertisers, images, stats and the audit log are deleted.</List.Item>
          <List.Item>Invoices are kept without names, for as long as the law asks.</List.Item>
        </List>
        <ShortForm state={state} action="Delete workspace" button={{ color: "red.9" }}>
          <TextInput
            label={`To confirm, type ${expected}`}
            required
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={draft.name}
            error={errors.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </ShortForm>
      </Stack>
    </Dialog>
  );
}
