import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "../shell/client.ts";
import { notifyProblem } from "../shell/notify.ts";
import { moveItem } from "../sortable/move.ts";
import { fieldsQuery } from "./fields-query.ts";
import type { Field } from "./shapes.ts";

const MOVES = ["move-field"];

/** Moves a field to another position. The list shows it at once, and goes back to what the server has if that fails. */
export function useMoveField(
  workspaceId: string,
): (fields: readonly Field[], from: number, to: number) => void {
  const queryClient = useQueryClient();
  const { queryKey } = fieldsQuery(workspaceId);
  const { mutate } = useMutation({
    mutationKey: MOVES,
    // Targets are positions in the list as the moves before have left it.
    scope: { id: "move-field" },
    mutationFn: (move: { readonly id: string; readonly order: number }) =>
      api.fields.reorder({ workspaceId, fields: [move] }),
    onError: notifyProblem,
    onSettled: async () => {
      // While another move waits, the list is ahead of the server.
      if (queryClient.isMutating({ mutationKey: MOVES }) === 1) {
        await queryClient.invalidateQueries({ queryKey: query.fields.key() });
      }
    },
  });

  return (fields, from, to) => {
    const moved = fields[from];
    if (moved === undefined) return;
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(
      queryKey,
      moveItem(fields, from, to).map((field, order) => ({ ...field, order })),
    );
    mutate({ id: moved.id, order: to });
  };
}
