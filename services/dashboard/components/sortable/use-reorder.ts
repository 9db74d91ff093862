import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { notifyProblem } from "../notify.ts";

/** Sends moves within a list one by one. After the last one, or a failure, reloads the queries below `reload`. */
export function useReorder<Move>(
  reload: QueryKey,
  send: (move: Move) => Promise<unknown>,
): (move: Move) => void {
  const queryClient = useQueryClient();
  const mutationKey = ["reorder", ...reload];
  const { mutate } = useMutation({
    mutationKey,
    // Each move builds on the previous ones.
    scope: { id: JSON.stringify(mutationKey) },
    mutationFn: send,
    onError: notifyProblem,
    onSettled: async () => {
      // While another move is queued, the list is ahead of the server.
      if (queryClient.isMutating({ mutationKey }) === 1)
        await queryClient.invalidateQueries({ queryKey: reload });
    },
  });
  return mutate;
}
