import { Button, Code, Group, Text, TextInput } from "@mantine/core";
import { type QueryKey, type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { TrackingKey } from "#libs/contract/tracking-keys.ts";
import { fieldErrorsOf, messageOf } from "../api/problems.ts";
import { useMay } from "../api/workspace.ts";
import { CopyField } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { formatDate } from "../components/format.ts";
import { Row, Rows } from "../components/lists.tsx";
import { Notice } from "../components/notice.tsx";
import { QueryView } from "../components/states.tsx";
import { useAction } from "../components/use-action.ts";

interface KeyListProps<Key extends TrackingKey> {
  /** `API key` or `tracking key`. */
  readonly noun: string;
  readonly placeholder: string;
  readonly keys: UseQueryResult<{ readonly items: readonly Key[] }>;
  readonly detailOf: (key: Key) => string | null;
  readonly create: NewKeyProps["send"];
  readonly revoke: KeyRowProps["revoke"];
  readonly reload: QueryKey;
}

/** The keys of one kind, and how one is created and revoked. */
export function KeyList<Key extends TrackingKey>(props: KeyListProps<Key>) {
  const { noun, placeholder, keys, detailOf, create, revoke, reload } = props;
  const mayChange = useMay("Manager");
  return (
    <>
      {mayChange ? <NewKey noun={noun} placeholder={placeholder} send={create} reload={reload} /> : null}
      <QueryView query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {`No ${noun}s yet.`}
            </Text>
          ) : (
            <Rows label={`${noun}s`}>
              {items.map((key) => (
                <KeyRow
                  key={key.id}
                  shown={key}
                  detail={detailOf(key)}
                  mayRevoke={mayChange}
                  revoke={revoke}
                  reload={reload}
                />
              ))}
            </Rows>
          )
        }
      </QueryView>
    </>
  );
}

interface KeyRowProps {
  readonly shown: TrackingKey;
  readonly detail: string | null;
  readonly mayRevoke: boolean;
  readonly revoke: (keyId: string) => Promise<unknown>;
  readonly reload: QueryKey;
}

function KeyRow({ shown, detail, mayRevoke, revoke: send, reload }: KeyRowProps) {
  const { id, name, prefix, createdAt, createdBy } = shown;
  const created = `Created by ${createdBy.name} on ${formatDate(createdAt)}`;
  const { isBusy, act: revoke } = useAction({
    question: () => ({
      title: `Revoke ${name}?`,
      text: "Anything that uses this key stops working immediately. A revoked key can’t be restored.",
      action: "Revoke key",
    }),
    send: () => send(id),
    done: `${name} revoked`,
    reload: [reload],
  });
  return (
    <Row
      title={name}
      badge={<Code>{prefix}…</Code>}
      detail={detail === null ? created : `${detail} · ${created}`}
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

interface NewKeyProps {
  readonly noun: string;
  readonly placeholder: string;
  readonly send: (name: string) => Promise<{ readonly name: string; readonly key: string }>;
  readonly reload: QueryKey;
}

function NewKey({ noun, placeholder, send, reload }: NewKeyProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: send,
    // The response contains the key, so it is kept only while the dialog shows it.
    gcTime: 0,
    onSuccess: () => {
      setName("");
      void queryClient.invalidateQueries({ queryKey: reload });
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
            aria-label={`Name of the new ${noun}`}
            placeholder={placeholder}
            value={name}
            error={problem}
            onChange={({ currentTarget }) => {
              setName(currentTarget.value);
              if (create.isError) create.reset();
            }}
            style={{ flex: "1 1 14rem" }}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ""}>
            Create {noun}
          </Button>
        </Group>
      </form>
      {create.data === undefined ? null : (
        <Dialog title={`Your new ${noun}`} size="lg" onClose={create.reset} closesByClick={false}>
          <Notice color="yellow" icon="alert-triangle" title="Copy it now">
            This is the only time the key is shown. If you lose it, revoke it and create a new one.
          </Notice>
          <CopyField label={`Key for ${create.data.name}`} value={create.data.key} done="Key copied" />
          <Group justify="flex-end">
            <Button onClick={create.reset}>Done</Button>
          </Group>
        </Dialog>
      )}
    </>
  );
}
