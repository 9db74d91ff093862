import { IconPlus } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { Columns } from "../editing/columns.tsx";
import { NEW } from "../editing/search.ts";
import { ButtonTo } from "../shell/links.tsx";
import { Page } from "../shell/page.tsx";
import { Empty, QueryView } from "../shell/states.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { SortableList } from "../sortable/sortable-list.tsx";
import { FieldRow } from "./field-row.tsx";
import { FormPreview } from "./form-preview.tsx";
import type { Field } from "./shapes.ts";
import { useMoveField } from "./use-move-field.ts";

/** All fields in the order in which they are asked for, beside the form that comes of them. */
export function FieldListPage({ fields }: { readonly fields: UseQueryResult<Field[], Error> }) {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  const newField = (
    <ButtonTo
      to="/w/$workspaceId/fields"
      params={{ workspaceId }}
      search={{ edit: NEW }}
      leftSection={<IconPlus size={16} aria-hidden />}
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
              text="Every ad has a name and a website. Add fields for what else yours should have: a tagline, an image, a color."
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

function FieldList({
  fields,
  mayChange,
}: {
  readonly fields: readonly Field[];
  readonly mayChange: boolean;
}) {
  const { id: workspaceId } = useWorkspace();
  const move = useMoveField(workspaceId);
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
