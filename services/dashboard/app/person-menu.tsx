import {
  Avatar,
  Box,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { signOut, usePerson } from "../api/session.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { Icon } from "../components/icon.tsx";
import { notifyProblem } from "../components/notify.ts";

const THEMES = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "auto", label: "System", icon: "device-desktop" },
] as const;

/** Shows who is signed in. Leads to the account, the theme and sign-out. */
export function PersonMenu() {
  const { name, email } = usePerson();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  return (
    <Menu width="target" position="top-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <Group gap="xs" wrap="nowrap">
            <Avatar size={30} color="indigo" name={name} alt="" aria-hidden />
            <Box flex={1} miw={0}>
              <Text size="sm" fw={600} truncate>
                {name}
              </Text>
              <Dimmed size="xs" truncate>
                {email}
              </Dimmed>
            </Box>
            <VisuallyHidden>Account and theme</VisuallyHidden>
            <Icon name="selector" />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="user" />}
          onClick={() => void navigate({ to: "/w/$workspaceId/account", params: { workspaceId } })}
        >
          Your account
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/v1/docs"
          target="_blank"
          rel="noopener"
          leftSection={<Icon name="book" />}
        >
          API documentation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {THEMES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            closeMenuOnClick={false}
            leftSection={<Icon name={icon} />}
            {...(value === colorScheme ? { rightSection: <Icon name="check" aria-label="Chosen" /> } : {})}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" />} onClick={() => void signOut().catch(notifyProblem)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
