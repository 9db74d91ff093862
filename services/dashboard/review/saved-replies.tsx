import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";

/** Offers the workspace's saved replies. Nothing if there are none. */
export function SavedReplies({ onChoose }: { readonly onChoose: (reply: string) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(query.settings.get.queryOptions({ input: { workspaceId } }));
  const replies = data?.savedReplies ?? [];
  if (replies.length === 0) return null;
  return (
    <Menu position="bottom-start" width={360}>
      <Menu.Target>
        <Button variant="default" size="xs" mb="xs" rightSection={<Icon name="chevron-down" size={14} />}>
          Use a saved reply
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflowY: "auto" }}>
        {[...new Set(replies)].map((reply) => (
          <Menu.Item key={reply} style={{ whiteSpace: "normal" }} onClick={() => onChoose(reply)}>
            <bdi dir="auto">{reply}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
