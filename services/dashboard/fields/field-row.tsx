import { ActionIcon, Badge, Code, Group, Paper, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { TYPE_WORDS } from "./field-types.ts";
import type { Field } from "./shapes.ts";
import { useDeleteField } from "./use-delete-field.ts";

interface FieldRowProps {
  readonly field: Field;
  /** What the row is dragged by. */
  readonly handle: ReactNode;
  readonly mayChange: boolean;
}

/** A field: what it is called, by whom it is filled in, what can be done with it. */
export function FieldRow({ field, handle, mayChange }: FieldRowProps) {
  const { id: workspaceId } = useWorkspace();
  const remove = useDeleteField();
  const { id, name, key, type, isRequired, isPublisherOnly } = field;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm" wrap="nowrap">
        {handle}
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs">
            {mayChange ? (
              <LinkTo
                to="/w/$workspaceId/fields"
                params={{ workspaceId }}
                search={{ edit: id }}
                fw={600}
                style={{ overflowWrap: "anywhere" }}
              >
                {name}
              </LinkTo>
            ) : (
              <Text fw={600}>{name}</Text>
            )}
            {isRequired ? <Flag text="Required" /> : null}
            {isPublisherOnly ? <Flag text="Publisher only" /> : null}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {TYPE_WORDS[type].label} · <Code>{key}</Code>
          </Text>
        </div>
        {mayChange ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Delete ${name}`}
            onClick={() => void remove(field)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        ) : null}
      </Group>
    </Paper>
  );
}

function Flag({ text }: { readonly text: string }) {
  return (
    <Badge variant="default" tt="none" fw={500}>
      {text}
    </Badge>
  );
}
