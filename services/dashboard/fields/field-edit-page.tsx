import { Button, Paper } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Columns } from "../editing/columns.tsx";
import { DraftForm } from "../editing/draft-form.tsx";
import { EditPage } from "../editing/edit-page.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { useLeaveGuard } from "../editing/use-leave-guard.ts";
import { api, query } from "../shell/client.ts";
import { notifyDone } from "../shell/notify.ts";
import { Empty } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { checkField, draftOfField, EMPTY_FIELD, previewOf } from "./field-draft.ts";
import { FieldInputs } from "./field-inputs.tsx";
import { FormPreview, type PreviewedField } from "./form-preview.tsx";
import type { Field } from "./shapes.ts";
import { useDeleteField } from "./use-delete-field.ts";

const ALL_FIELDS = { to: "/w/$workspaceId/fields", label: "All fields" } as const;

/** The form of a field that is not there yet. */
export function NewFieldPage({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <EditPage title="New field" list={ALL_FIELDS}>
      <FieldForm field={null} fields={fields} />
    </EditPage>
  );
}

interface FieldEditPageProps {
  /** Undefined is one that the workspace does not have. */
  readonly field: Field | undefined;
  readonly fields: readonly Field[];
}

/** The form of one field. */
export function FieldEditPage({ field, fields }: FieldEditPageProps) {
  const toFields = useToFields();
  const remove = useDeleteField();
  if (field === undefined) {
    return (
      <EditPage title="Field" list={ALL_FIELDS}>
        <Empty
          title="There is no such field"
          text="The address names a field that this workspace does not have."
        />
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
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void removeAndLeave()}
        >
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
  const queryClient = useQueryClient();
  const toFields = useToFields();
  const state = useDraft(field === null ? EMPTY_FIELD : draftOfField(field));
  useLeaveGuard(state.isDirty);
  const others = fields.filter(({ id }) => id !== field?.id);
  const taken = new Set(others.map(({ key }) => key));
  const save = useMutation({
    mutationFn: (input: FieldInput) => sendField(workspaceId, field, input),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: query.fields.key() });
      await toFields();
      notifyDone(field === null ? "Field created" : "Field saved");
    },
    onError: state.refuseBy,
  });

  const submit = () => {
    const checked = checkField(state.draft, taken);
    if ("errors" in checked) state.refuse(checked.errors);
    else save.mutate(checked.input);
  };
  const place = field === null ? others.length : fields.indexOf(field);
  const before: readonly PreviewedField[] = others;
  const shown = before.toSpliced(place, 0, previewOf(state.draft));
  return (
    <Columns isLong aside={<FormPreview fields={shown} current={place} />}>
      <Paper withBorder p="lg">
        <DraftForm
          state={state}
          label={field === null ? "New field" : "Field"}
          submit={field === null ? "Create field" : "Save changes"}
          isSaving={save.isPending}
          isDisabled={field !== null && !state.isDirty}
          onSubmit={submit}
        >
          <FieldInputs state={state} taken={taken} savedKey={field?.key ?? null} />
        </DraftForm>
      </Paper>
    </Columns>
  );
}

type FieldInput = Extract<ReturnType<typeof checkField>, { readonly input: unknown }>["input"];

function sendField(workspaceId: string, field: Field | null, input: FieldInput) {
  return field === null
    ? api.fields.create({ workspaceId, ...input })
    : api.fields.update({ workspaceId, fieldId: field.id, ...input });
}

/** Goes to the list of fields, without asking after changes: they have just been saved, or are gone. */
function useToFields(): () => Promise<void> {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  return () => navigate({ to: ALL_FIELDS.to, params: { workspaceId }, search: {}, ignoreBlocker: true });
}
