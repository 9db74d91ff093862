import { AppShell, Badge, Box, Burger, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { query } from "../api/client.ts";
import { statusOf } from "../api/problems.ts";
import { connectionQuery, useMoment } from "../api/processor-clock.ts";
import { useWorkspace, WorkspaceContext } from "../api/workspace.ts";
import { NoAccessPage } from "../components/error-pages.tsx";
import { formatDate } from "../components/format.ts";
import { Brand, OfflineBanner } from "../components/frame.tsx";
import { QueryView } from "../components/states.tsx";
import { Navigation } from "./navigation.tsx";
import { preloadPages } from "./pages.ts";
import { PersonMenu } from "./person-menu.tsx";
import { usePhoneMenu } from "./phone-menu.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

/** The frame of a workspace's pages: navigation at the side, or behind a button on phones and tablets. */
export function WorkspaceLayout() {
  const { workspaceId = "" } = useParams({ strict: false });
  const workspace = useQuery(query.workspaces.get.queryOptions({ input: { workspaceId } }));
  const menu = usePhoneMenu();
  const main = useRef<HTMLElement>(null);
  useShownPage(main, menu.leave);
  useEffect(preloadPages, []);

  const status = statusOf(workspace.error);
  if (status === 403 || status === 404) return <NoAccessPage />;
  return (
    <QueryView query={workspace}>
      {(found) => (
        <WorkspaceContext value={found}>
          <a className="skip-link" href="#content">
            Skip to content
          </a>
          <AppShell
            layout="alt"
            header={{ height: { base: 56, md: 0 } }}
            navbar={{ width: 248, breakpoint: "md", collapsed: { mobile: !menu.isOpen } }}
            padding={{ base: "md", md: "xl" }}
          >
            <AppShell.Header hiddenFrom="md" inert={menu.covers}>
              <Group h="100%" px={{ base: "sm", xs: "md" }} gap="sm" wrap="nowrap">
                <Burger ref={menu.opener} onClick={menu.open} size="sm" aria-label="Menu" />
                <Brand />
                <Box ml="auto" miw={0}>
                  <SandboxNote />
                </Box>
              </Group>
            </AppShell.Header>
            <AppShell.Navbar
              p="md"
              inert={menu.isHidden}
              onKeyDown={({ key }) => {
                if (key === "Escape" && menu.covers) menu.close();
              }}
            >
              <Stack h="100%" gap="md">
                <Group justify="space-between">
                  <Brand />
                  <Burger
                    ref={menu.closer}
                    opened
                    onClick={menu.close}
                    size="sm"
                    aria-label="Close menu"
                    hiddenFrom="md"
                  />
                </Group>
                <WorkspaceSwitcher />
                <Navigation />
                <SandboxNote />
                <PersonMenu />
              </Stack>
            </AppShell.Navbar>
            <AppShell.Main id="content" tabIndex={-1} ref={main} inert={menu.covers}>
              <OfflineBanner />
              <div className="page">
                <SandboxClock />
                <Outlet />
              </div>
            </AppShell.Main>
          </AppShell>
        </WorkspaceContext>
      )}
    </QueryView>
  );
}

/** Closes the menu and focuses the content whenever another page is shown, but not the first. */
function useShownPage(main: RefObject<HTMLElement | null>, leaveMenu: () => void): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    const isFirst = before.current === undefined;
    before.current = path;
    leaveMenu();
    if (!isFirst) main.current?.focus({ preventScroll: true });
  }, [path, main, leaveMenu]);
}

function SandboxNote() {
  const { id: workspaceId } = useWorkspace();
  const connection = useQuery(connectionQuery(workspaceId));
  if (connection.data?.sandbox !== true) return null;
  return (
    <Badge variant="default" tt="none" fw={500} title="No card is asked for and no money moves.">
      Sandbox payments
    </Badge>
  );
}

/** The clocks of two machines differ by less. */
const MOVED_MS = 3_600_000;

/** Names the sandbox's date once somebody has moved its clock on: payments and their periods are on it, impressions are not. */
function SandboxClock() {
  const { now, atProcessor } = useMoment();
  if (atProcessor - now < MOVED_MS) return null;
  return (
    <Box role="status" className="clock-banner">
      <Text size="sm" ta="center" py={6} px="md">
        Sandbox clock: {formatDate(new Date(atProcessor).toISOString())}. Payments follow it; impressions and
        clicks don’t.
      </Text>
    </Box>
  );
}
