import { Alert, Stack } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LinkTo } from "../shell/links.tsx";
import { Page } from "../shell/page.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";

interface EditPageProps {
  readonly title: string;
  /** The list that this belongs to. */
  readonly list: { readonly to: "/w/$workspaceId/tiers" | "/w/$workspaceId/fields"; readonly label: string };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with the form of one thing, and the way back to the list. For those who may change it. */
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
        <IconArrowLeft size={16} aria-hidden />
        {list.label}
      </LinkTo>
      <Page title={title} actions={mayChange ? actions : undefined}>
        {mayChange ? (
          children
        ) : (
          <Alert color="gray" title="Only to look at">
            You are a Viewer here: a Manager or an Owner can change this.
          </Alert>
        )}
      </Page>
    </Stack>
  );
}
