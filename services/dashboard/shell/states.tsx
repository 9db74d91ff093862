import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconAlertCircle, IconCloudOff } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "./problems.ts";

/** While something is on its way. */
export function Loading() {
  return (
    <Center mih={200} role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}

/** What could not be loaded, and why. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  return (
    <Alert color="red" icon={<IconAlertCircle />} title="This could not be loaded" role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{messageOf(error)}</Text>
        {retry === undefined ? null : (
          <Button variant="default" size="xs" onClick={() => void retry()}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** What leads on from here. */
  readonly action?: ReactNode;
}

/** Where there is nothing yet. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" size="sm">
          {text}
        </Text>
        {action === undefined ? null : <Group mt="sm">{action}</Group>}
      </Stack>
    </Center>
  );
}

/** Where nothing can be shown until there is a connection again. */
export function Offline() {
  return (
    <Alert color="yellow" icon={<IconCloudOff />} title="You are offline" role="status">
      This loads by itself as soon as you are back online.
    </Alert>
  );
}

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data, Error>;
  readonly children: (data: Data) => ReactNode;
  /** Stands in for `Loading`, for instance a skeleton. */
  readonly loading?: ReactNode;
}

/** What a query has found; until then, or if it fails, what is the matter. Data that are there stay in view. */
export function QueryView<Data>({ query, children, loading }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Problem error={query.error} retry={query.refetch} />;
  if (query.fetchStatus === "paused") return <Offline />;
  return loading ?? <Loading />;
}
