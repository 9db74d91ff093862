import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode, Ref } from "react";

interface PageProps {
  readonly title: string;
  /** The link to the list that the page belongs to. */
  readonly above?: ReactNode;
  /** For a page that moves the focus to its heading. */
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page beside the navigation: heading, actions, content. */
export function Page({ title, above, headingRef, actions, children }: PageProps) {
  useDocumentTitle(`${title} – Placard`);
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        {above === undefined ? null : (
          <Text component="nav" aria-label="Breadcrumb" size="sm">
            {above}
          </Text>
        )}
        <Group justify="space-between" align="center" gap="sm">
          <Title order={1} size="h2" {...(headingRef === undefined ? {} : { ref: headingRef, tabIndex: -1 })}>
            {title}
          </Title>
          {actions === undefined ? null : <Group gap="sm">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  );
}
