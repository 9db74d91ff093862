import { Stack } from "@mantine/core";
import { ApiKeysCard } from "./api-keys-card.tsx";
import { DeleteWorkspaceCard } from "./delete-workspace-card.tsx";
import { WorkspaceCard } from "./workspace-card.tsx";

/** What the workspace is called, and who may act for it by key. */
export function GeneralTab() {
  return (
    <Stack gap="lg" maw={760}>
      <WorkspaceCard />
      <ApiKeysCard />
      <DeleteWorkspaceCard />
    </Stack>
  );
}
