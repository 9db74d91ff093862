import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";

/** Shows the current workspace. Leads to the others and to a new one. */
export function WorkspaceSwitcher() {
  const here = useWorkspace();
  const navigate = useNavigate();
  const workspaces = useQuery(query.workspaces.list.queryOptions());
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <Group gap="xs" wrap="nowrap">
            <Avatar size={30} radius="sm" color="indigo" name={here.name} alt="" aria-hidden />
            <Text size="sm" fw={600} truncate flex={1}>
              {here.name}
            </Text>
            <VisuallyHidden>Change workspace</VisuallyHidden>
            <Icon name="selector" />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {(workspaces.data?.items ?? [here]).map(({ id, name }) => (
          <Menu.Item
            key={id}
            {...(id === here.id ? { rightSection: <Icon name="check" aria-label="Current" /> } : {})}
            onClick={() =>
              void navigate({ to: "/w/$workspaceId/overview", params: { workspaceId: id }, search: {} })
            }
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="plus" />} onClick={() => void navigate({ to: "/welcome" })}>
          New workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
