import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CopyField } from "../editing/copy-field.tsx";
import { api, query } from "../shell/client.ts";
import { fieldErrorsOf, messageOf } from "../shell/problems.ts";
import { useWorkspace } from "../shell/workspace.tsx";

/** Makes a key and shows it, the only time that it can be seen. */
export function NewApiKey() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: (named: string) => api.apiKeys.create({ workspaceId, name: named }),
    // The key is in the answer: it is kept no longer than the dialog shows it.
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
      <Modal
        opened={create.isSuccess}
        onClose={create.reset}
        title="Your new API key"
        size="lg"
        centered
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack gap="md">
          <Alert
            color="yellow"
            icon={<IconAlertTriangle />}
            title="Copy it now"
            // Yellow on yellow cannot be read.
            styles={{ title: { color: "var(--mantine-color-text)" } }}
          >
            This is the only time the key is shown. If it gets lost, revoke it and make another.
          </Alert>
          <CopyField
            label={`Key of ${create.data?.name ?? ""}`}
            value={create.data?.key ?? ""}
            done="API key copied"
          />
          <Group justify="flex-end">
            <Button onClick={create.reset}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
