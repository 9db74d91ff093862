import { useQueryClient } from "@tanstack/react-query";
import type { Field } from "#libs/contract/fields.ts";
import { api, query } from "../api/client.ts";
import { fieldsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { moveItem } from "../components/sortable/move.ts";
import { useReorder } from "../components/sortable/use-reorder.ts";
import { useAction } from "../components/use-action.ts";

/** Deletes a field after asking. */
export function useDeleteField() {
  const { id: workspaceId } = useWorkspace();
  return useAction({
    question: ({ name, key }: Field) => ({
      title: `Delete ${name}?`,
      text: `Ads keep running, but the values entered here are no longer shown or served: your site stops getting “${key}”. A new field, even with the same name, doesn’t bring the values back.`,
      action: "Delete field",
    }),
    send: ({ id: fieldId }) => api.fields.delete({ workspaceId, fieldId }),
    done: (_answer, { name }) => `${name} deleted`,
    reload: [query.fields.key()],
    onDone: (_answer, client, { id }) =>
      client.setQueryData(fieldsQuery(workspaceId).queryKey, (fields) =>
        fields?.filter((field) => field.id !== id),
      ),
  });
}

/** Moves a field. The list shows it immediately, and reverts if it fails. */
export function useMoveField(): (fields: readonly Field[], from: number, to: number) => void {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = fieldsQuery(workspaceId);
  const send = useReorder(query.fields.key(), (move: { readonly id: string; readonly order: number }) =>
    api.fields.reorder({ workspaceId, fields: [move] }),
  );

  return (fields, from, to) => {
    const moved = fields[from];
    if (moved === undefined) return;
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(
      queryKey,
      moveItem(fields, from, to).map((field, order) => ({ ...field, order })),
    );
    send({ id: moved.id, order: to });
  };
}
