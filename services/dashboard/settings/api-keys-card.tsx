import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Section } from "../editing/section.tsx";
import type { api } from "../shell/client.ts";
import { query } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { formatDate, formatMoment } from "../shell/format.ts";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { QueryView } from "../shell/states.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { NewApiKey } from "./new-api-key.tsx";
import { Rows } from "./rows.tsx";

type ApiKey = Awaited<ReturnType<typeof api.apiKeys.list>>["items"][number];

/** The keys by which programs act for the workspace. */
export function ApiKeysCard() {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  const keys = useQuery(query.apiKeys.list.queryOptions({ input: { workspaceId } }));
  return (
    <Section
      title="API keys"
      text="For your own programs to manage ads, tiers and fields. A key may do what its maker may, in this workspace. Keep it on your server, out of pages and repositories."
    >
      {mayChange ? <NewApiKey /> : null}
      <QueryView query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              There are no keys yet.
            </Text>
          ) : (
            <Rows label="API keys">
              {items.map((key) => (
                <ApiKeyRow key={key.id} apiKey={key} mayRevoke={mayChange} />
              ))}
            </Rows>
          )
        }
      </QueryView>
    </Section>
  );
}

function ApiKeyRow({ apiKey, mayRevoke }: { readonly apiKey: ApiKey; readonly mayRevoke: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const { id, name, prefix, lastUsedAt, createdAt, createdBy } = apiKey;
  const revoke = useMutation(
    query.apiKeys.revoke.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: query.apiKeys.key() });
        notifyDone(`${name} is revoked`);
      },
      onError: notifyProblem,
    }),
  );
  const ask = async () => {
    const isMeant = await confirm({
      title: `Revoke ${name}?`,
      text: "Whatever uses this key stops working at once. A revoked key cannot be brought back.",
      action: "Revoke key",
      isDangerous: true,
    });
    if (isMeant) revoke.mutate({ workspaceId, keyId: id });
  };
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={2} style={{ flex: "1 1 14rem", minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {name}
          </Text>
          <Code>{prefix}…</Code>
        </Group>
        <Text size="sm" c="dimmed">
          {lastUsedAt === null ? "Never used" : `Last used ${formatMoment(lastUsedAt)}`}
          {` · Made by ${createdBy.name} on ${formatDate(createdAt)}`}
        </Text>
      </Stack>
      {mayRevoke ? (
        <Button
          variant="default"
          size="xs"
          loading={revoke.isPending}
          aria-label={`Revoke ${name}`}
          onClick={() => void ask()}
        >
          Revoke
        </Button>
      ) : null}
    </Group>
  );
}
