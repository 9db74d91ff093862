import { Anchor, Button, Code, Group, Text, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ApiKey } from "#libs/contract/workspaces.ts";
import { api, query } from "../api/client.ts";
import { fieldErrorsOf, messageOf } from "../api/problems.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { CopyField } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { formatDate, formatMoment } from "../components/format.ts";
import { Row, Rows } from "../components/lists.tsx";
import { Notice } from "../components/notice.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useAction } from "../components/use-action.ts";

/** The API keys of the workspace. */
export function ApiKeysCard() {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  const keys = useQuery(query.apiKeys.list.queryOptions({ input: { workspaceId } }));
  return (
    <Section
      title="API keys"
      text="For your own programs to manage ads, tiers and fields. A key has the same permissions as the person who created it. Keep it secret; don’t put it in client code or repositories."
    >
      <Anchor href="/v1/docs" target="_blank" rel="noopener" size="sm">
        API documentation (opens in a new tab)
      </Anchor>
      {mayChange ? <NewApiKey /> : null}
      <QueryView query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              No API keys yet.
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
  const { id, name, prefix, lastUsedAt, createdAt, createdBy } = apiKey;
  const lastUsed = lastUsedAt === null ? "Never used" : `Last used ${formatMoment(lastUsedAt)}`;
  const { isBusy, act: revoke } = useAction({
    question: () => ({
      title: `Revoke ${name}?`,
      text: "Anything that uses this key stops working immediately. A revoked key can’t be restored.",
      action: "Revoke key",
    }),
    send: () => api.apiKeys.revoke({ workspaceId, keyId: id }),
    done: `${name} revoked`,
    reload: [query.apiKeys.key()],
  });
  return (
    <Row
      title={name}
      badge={<Code>{prefix}…</Code>}
      detail={`${lastUsed} · Created by ${createdBy.name} on ${formatDate(createdAt)}`}
    >
      {mayRevoke ? (
        <Button
          variant="default"
          size="xs"
          loading={isBusy}
          aria-label={`Revoke ${name}`}
          onClick={() => void revoke()}
        >
          Revoke
        </Button>
      ) : null}
    </Row>
  );
}

function NewApiKey() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: (named: string) => api.apiKeys.create({ workspaceId, name: named }),
    // The response contains the key, so it is kept only while the dialog shows it.
    gcTime: 0,
    onSuccess: () => {
      setName("");
      void queryClient.invalidateQueries({ queryKey: query.apiKeys.key() });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate(name);
  };
  const problem = create.isError
    ? (fieldErrorsOf(create.error).name?.join(" ") ?? messageOf(create.error))
    : null;
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Group gap="sm" align="flex-start">
          <TextInput
            aria-label="Name of the new key"
            placeholder="Name, such as “Website build”"
            value={name}
            error={problem}
            onChange={({ currentTarget }) => {
              setName(currentTarget.value);
              if (create.isError) create.reset();
            }}
            style={{ flex: "1 1 14rem" }}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ""}>
            Create key
          </Button>
        </Group>
      </form>
      {create.data === undefined ? null : (
        <Dialog title="Your new API key" size="lg" onClose={create.reset} closesByClick={false}>
          <Notice color="yellow" icon={<IconAlertTriangle />} title="Copy it now">
            This is the only time the key is shown. If you lose it, revoke it and create a new one.
          </Notice>
          <CopyField label={`Key for ${create.data.name}`} value={create.data.key} done="API key copied" />
          <Group justify="flex-end">
            <Button onClick={create.reset}>Done</Button>
          </Group>
        </Dialog>
      )}
    </>
  );
}
