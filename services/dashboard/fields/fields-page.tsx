import { ActionIcon, Code, Group, Paper, Text } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Field } from "#libs/contract/fields.ts";
import { fieldsQuery } from "../api/queries.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Flag } from "../components/badges.tsx";
import { ALL_FIELDS, Columns, EditLink } from "../components/edit-page.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonTo } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { NEW } from "../components/search.ts";
import { SortableList } from "../components/sortable/sortable-list.tsx";
import { Empty, QueryView } from "../components/states.tsx";
import { FieldEditPage, NewFieldPage } from "./field-edit-page.tsx";
import { TRAITS } from "./field-types.ts";
import { FormPreview } from "./form-preview.tsx";
import { useDeleteField, useMoveField } from "./use-change-field.ts";

/** The list of fields, or the field that the address names. */
export function FieldsPage() {
  const { id } = useWorkspace();
  const { edit } = useSearch({ from: "/signed-in/w/$workspaceId/fields" });
  const fields = useQuery(fieldsQuery(id));
  if (edit === undefined) return <FieldListPage fields={fields} />;
  return (
    <QueryView query={fields}>
      {(found) => {
        const field = found.find((one) => one.id === edit);
        return edit === NEW ? (
          <NewFieldPage fields={found} />
        ) : (
          <FieldEditPage key={edit} field={field} fields={found} />
        );
      }}
    </QueryView>
  );
}

/** All fields in order, beside a preview of the advertiser's form. */
function FieldListPage({ fields }: { readonly fields: UseQueryResult<Field[], Error> }) {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  const newField = (
    <ButtonTo
      to="/w/$workspaceId/fields"
      params={{ workspaceId }}
      search={{ edit: NEW }}
      leftSection={<Icon name="plus" />}
    >
      New field
    </ButtonTo>
  );
  return (
    <Page title="Fields" actions={mayChange ? newField : undefined}>
      <QueryView query={fields}>
        {(found) =>
          found.length === 0 ? (
            <Empty
              title="No fields yet"
              text="Every ad has a name and a website. Add fields for anything else yours should have: a tagline, an image, a color."
              action={mayChange ? newField : undefined}
            />
          ) : (
            <Columns isLong aside={<FormPreview fields={found} />}>
              <FieldList fields={found} mayChange={mayChange} />
            </Columns>
          )
        }
      </QueryView>
    </Page>
  );
}

interface FieldListProps {
  readonly fields: readonly Field[];
  readonly mayChange: boolean;
}

function FieldList({ fields, mayChange }: FieldListProps) {
  const move = useMoveField();
  return (
    <SortableList
      items={fields}
      label="Fields"
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      isFixed={!mayChange || fields.length < 2}
      onMove={(from, to) => move(fields, from, to)}
    >
      {(field, handle) => <FieldRow field={field} handle={handle} mayChange={mayChange} />}
    </SortableList>
  );
}

interface FieldRowProps {
  readonly field: Field;
  readonly handle: ReactNode;
  readonly mayChange: boolean;
}

function FieldRow({ field, handle, mayChange }: FieldRowProps) {
  const { act: remove } = useDeleteField();
  const { id, name, key, type, isRequired, isPublisherOnly } = field;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm" wrap="nowrap">
        {handle}
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs">
            <EditLink list={ALL_FIELDS} id={id} name={name} mayChange={mayChange} />
            {isRequired ? <Flag text="Required" /> : null}
            {isPublisherOnly ? <Flag text="Publisher only" /> : null}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {TRAITS[type].label} · <Code>{key}</Code>
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
            <Icon name="trash" size={18} />
          </ActionIcon>
        ) : null}
      </Group>
    </Paper>
  );
}
