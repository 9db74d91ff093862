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
import {
  IconBook,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { signOut, usePerson } from "../api/session.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { notifyProblem } from "../components/notify.ts";

const THEMES = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "System", icon: IconDeviceDesktop },
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
            <IconSelector size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/w/$workspaceId/account", params: { workspaceId } })}
        >
          Your account
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/v1/docs"
          target="_blank"
          rel="noopener"
          leftSection={<IconBook size={16} aria-hidden />}
        >
          API documentation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {THEMES.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            closeMenuOnClick={false}
            leftSection={<Icon size={16} aria-hidden />}
            {...(value === colorScheme ? { rightSection: <IconCheck size={16} aria-label="Chosen" /> } : {})}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void signOut().catch(notifyProblem)}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
