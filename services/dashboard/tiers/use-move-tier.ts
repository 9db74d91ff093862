import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "../shell/client.ts";
import { notifyProblem } from "../shell/notify.ts";
import { moveItem } from "../sortable/move.ts";
import type { Tier } from "./shapes.ts";
import { orderChanges } from "./tier-order.ts";
import { inOrder, tiersQuery } from "./tiers-query.ts";

const MOVES = ["move-tier"];

/**
 * Moves a tier among those on sale. The list shows it at once; the changes are sent one after the other, as each is a
 * request of its own, and if one fails the list goes back to what the server has.
 */
export function useMoveTier(workspaceId: string): (tiers: readonly Tier[], from: number, to: number) => void {
  const queryClient = useQueryClient();
  const { queryKey } = tiersQuery(workspaceId);
  const { mutate } = useMutation({
    mutationKey: MOVES,
    scope: { id: "move-tier" },
    mutationFn: async (changes: ReturnType<typeof orderChanges>) => {
      for (const { id, order } of changes) await api.tiers.update({ workspaceId, tierId: id, order });
    },
    onError: notifyProblem,
    onSettled: async () => {
      // While another move waits, the list is ahead of the server.
      if (queryClient.isMutating({ mutationKey: MOVES }) === 1) {
        await queryClient.invalidateQueries({ queryKey: query.tiers.key() });
      }
    },
  });

  return (tiers, from, to) => {
    const changes = orderChanges(moveItem(tiers, from, to));
    const orders = new Map(changes.map(({ id, order }) => [id, order]));
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (known) =>
      known === undefined
        ? undefined
        : inOrder(known.map((tier) => ({ ...tier, order: orders.get(tier.id) ?? tier.order }))),
    );
    mutate(changes);
  };
}
