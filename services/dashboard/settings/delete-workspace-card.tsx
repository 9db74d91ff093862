import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { Section } from "../editing/section.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { DeleteWorkspaceDialog } from "./delete-workspace-dialog.tsx";

/** All that the workspace has as one file, and the end of the workspace. For Owners. */
export function DeleteWorkspaceCard() {
  const { id } = useWorkspace();
  const isOwner = useMay("Owner");
  const [isOpen, setOpen] = useState(false);
  if (!isOwner) return null;
  return (
    <Section
      title="Delete workspace"
      text="Your ads go off the air at once, and every subscription is canceled. This cannot be undone, so you may want the data first."
    >
      <Group gap="sm">
        <Button
          component="a"
          href={`/v1/workspaces/${encodeURIComponent(id)}/export`}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export data
        </Button>
        <Button color="red.9" onClick={() => setOpen(true)}>
          Delete workspace
        </Button>
      </Group>
      {isOpen ? <DeleteWorkspaceDialog onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}
