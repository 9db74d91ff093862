import { Button, Paper } from "@mantine/core";
import type { Field } from "#libs/contract/fields.ts";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { ALL_FIELDS, Columns, EditPage, useToList } from "../components/edit-page.tsx";
import { DraftForm, useDraftForm, useLeaveGuard } from "../components/forms/draft-form.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty } from "../components/states.tsx";
import { checkField, draftOfField, EMPTY_FIELD, type FieldValues, previewOf } from "./field-draft.ts";
import { FieldInputs } from "./field-inputs.tsx";
import { FormPreview } from "./form-preview.tsx";
import { useDeleteField } from "./use-change-field.ts";

/** The form of a new field. */
export function NewFieldPage({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <EditPage title="New field" list={ALL_FIELDS}>
      <FieldForm field={null} fields={fields} />
    </EditPage>
  );
}

interface FieldEditPageProps {
  /** Undefined if the workspace does not have it. */
  readonly field: Field | undefined;
  readonly fields: readonly Field[];
}

/** The form of one field. */
export function FieldEditPage({ field, fields }: FieldEditPageProps) {
  const toFields = useToList(ALL_FIELDS);
  const { act: remove } = useDeleteField();
  if (field === undefined) {
    return (
      <EditPage title="Field" list={ALL_FIELDS}>
        <Empty title="Field not found" text="This workspace has no such field." />
      </EditPage>
    );
  }
  const removeAndLeave = async () => {
    if (await remove(field)) await toFields();
  };
  return (
    <EditPage
      title={field.name}
      list={ALL_FIELDS}
      actions={
        <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => void removeAndLeave()}>
          Delete
        </Button>
      }
    >
      <FieldForm field={field} fields={fields} />
    </EditPage>
  );
}

function FieldForm({ field, fields }: { readonly field: Field | null; readonly fields: readonly Field[] }) {
  const { id: workspaceId } = useWorkspace();
  const toFields = useToList(ALL_FIELDS);
  const others = fields.filter(({ id }) => id !== field?.id);
  const taken = new Set(others.map(({ key }) => key));
  const state = useDraftForm(field === null ? EMPTY_FIELD : draftOfField(field), {
    check: (draft) => checkField(draft, taken),
    send: (input: FieldValues) =>
      field === null
        ? api.fields.create({ workspaceId, ...input })
        : api.fields.update({ workspaceId, fieldId: field.id, ...input }),
    done: field === null ? "Field created" : "Field saved",
    onDone: async (_field, client) => {
      await client.invalidateQueries({ queryKey: query.fields.key() });
      await toFields();
    },
  });
  useLeaveGuard(state.isDirty);
  const place = field === null ? others.length : fields.indexOf(field);
  const before: readonly FieldValues[] = others;
  const shown = before.toSpliced(place, 0, previewOf(state.draft));
  return (
    <Columns isLong aside={<FormPreview fields={shown} current={place} />}>
      <Paper withBorder p="lg">
        <DraftForm
          state={state}
          label={field === null ? "New field" : "Field"}
          action={field === null ? "Create field" : "Save changes"}
          isDisabled={field !== null && !state.isDirty}
        >
          <FieldInputs state={state} taken={taken} savedKey={field?.key ?? null} />
        </DraftForm>
      </Paper>
    </Columns>
  );
}
