import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { fieldsQuery } from "./fields-query.ts";
import type { Field } from "./shapes.ts";

/** Deletes a field after asking. */
export function useDeleteField(): (field: Field) => Promise<boolean> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const { mutateAsync } = useMutation({
    mutationFn: (field: Field) => api.fields.delete({ workspaceId, fieldId: field.id }),
    onSuccess: (_answer, { id, name }) => {
      queryClient.setQueryData(fieldsQuery(workspaceId).queryKey, (fields) =>
        fields?.filter((field) => field.id !== id),
      );
      void queryClient.invalidateQueries({ queryKey: query.fields.key() });
      notifyDone(`${name} is deleted`);
    },
    onError: notifyProblem,
  });

  return async (field) => {
    const isMeant = await confirm({
      title: `Delete ${field.name}?`,
      text: `Ads keep running, but what was entered here is no longer shown to anybody and no longer served: your site stops getting “${field.key}”. A new field, even of the same name, does not bring the values back.`,
      action: "Delete field",
      isDangerous: true,
    });
    if (!isMeant) return false;
    return await mutateAsync(field).then(
      () => true,
      () => false,
    );
  };
}
