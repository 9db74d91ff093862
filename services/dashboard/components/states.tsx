import { Button, Center, Group, Loader, Stack, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../api/problems.ts";
import { Dimmed } from "./dimmed.tsx";
import { Notice } from "./notice.tsx";

/** Shown while something loads. */
export function Loading() {
  return (
    <Center mih={200} role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}

/** Says why something could not be loaded. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  return (
    <Notice color="red" icon="alert-circle" title="Couldn’t load this" role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{messageOf(error)}</Text>
        {retry === undefined ? null : (
          <Button variant="default" size="xs" onClick={() => void retry()}>
            Try again
          </Button>
        )}
      </Group>
    </Notice>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** Shown where there is nothing yet. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Dimmed ta="center">{text}</Dimmed>
        {action === undefined ? null : <Group mt="sm">{action}</Group>}
      </Stack>
    </Center>
  );
}

function Offline() {
  return (
    <Notice color="yellow" icon="cloud-off" title="You’re offline" role="status">
      This loads automatically once you’re back online.
    </Notice>
  );
}

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data, Error>;
  readonly children: (data: Data) => ReactNode;
  /** Replaces `Loading`, for instance with a skeleton. */
  readonly loading?: ReactNode;
}

/** Renders the data of a query, or its loading, error or offline state. Loaded data stays in view. */
export function QueryView<Data>({ query, children, loading }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Problem error={query.error} retry={query.refetch} />;
  if (query.fetchStatus === "paused") return <Offline />;
  return loading ?? <Loading />;
}
