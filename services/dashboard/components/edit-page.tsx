import { Alert, Stack, Text } from "@mantine/core";
import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay, useWorkspace } from "../api/workspace.ts";
import classes from "./edit-page.module.css";
import { Icon } from "./icon.tsx";
import { LinkTo } from "./links.tsx";
import { Page } from "./page.tsx";

export const ALL_TIERS = { to: "/w/$workspaceId/tiers", label: "All tiers" } as const;
export const ALL_FIELDS = { to: "/w/$workspaceId/fields", label: "All fields" } as const;
type List = typeof ALL_TIERS | typeof ALL_FIELDS;

interface EditPageProps {
  readonly title: string;
  readonly list: List;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with the form of one item and a link back to its list. For managers and owners. */
export function EditPage({ title, list, actions, children }: EditPageProps) {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  return (
    <Stack gap="xs">
      <LinkTo
        to={list.to}
        params={{ workspaceId }}
        search={{}}
        size="sm"
        style={{ display: "inline-flex", alignItems: "center", gap: 4, alignSelf: "flex-start" }}
      >
        <Icon name="arrow-left" />
        {list.label}
      </LinkTo>
      <Page title={title} actions={mayChange ? actions : undefined}>
        {mayChange ? (
          children
        ) : (
          <Alert color="gray" title="View only">
            You’re a viewer in this workspace. Managers and owners can change this.
          </Alert>
        )}
      </Page>
    </Stack>
  );
}

interface ColumnsProps {
  readonly children: ReactNode;
  /** Stays in view beside the content, or follows below it where there is no room. */
  readonly aside: ReactNode;
  /** Whether the aside may be longer than the screen: it then scrolls, and needs something focusable in it. */
  readonly isLong?: boolean;
}

/** The edited item, with its result beside it. */
export function Columns({ children, aside, isLong = false }: ColumnsProps) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      <div className={classes.aside} data-scrolls={isLong || undefined}>
        {aside}
      </div>
    </div>
  );
}

/** Goes to the list without asking about changes, which are saved or deleted. Who has left the form meanwhile stays there. */
export function useToList({ to }: List): () => Promise<void> {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const router = useRouter();
  const form = useLocation({ select: ({ href }) => href });
  return async () => {
    if (router.latestLocation.href !== form) return;
    await navigate({ to, params: { workspaceId }, search: {}, ignoreBlocker: true });
  };
}

interface EditLinkProps {
  readonly list: List;
  readonly id: string;
  readonly name: string;
  /** Whether the person may edit the item; its name is plain text otherwise. */
  readonly mayChange: boolean;
}

/** The name of an item in its list, which links to its form. */
export function EditLink({ list, id, name, mayChange }: EditLinkProps) {
  const { id: workspaceId } = useWorkspace();
  if (!mayChange) return <Text fw={600}>{name}</Text>;
  return (
    <LinkTo
      to={list.to}
      params={{ workspaceId }}
      search={{ edit: id }}
      fw={600}
      style={{ overflowWrap: "anywhere" }}
    >
      {name}
    </LinkTo>
  );
}
