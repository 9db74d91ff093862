import { useQueryClient } from "@tanstack/react-query";
import type { Tier } from "#libs/contract/tiers.ts";
import { api, query } from "../api/client.ts";
import { inOrder, takeTier, tiersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { moveItem } from "../components/sortable/move.ts";
import { useReorder } from "../components/sortable/use-reorder.ts";
import { useAction } from "../components/use-action.ts";
import { orderChanges } from "./tier-order.ts";

/** Archives a tier on sale after asking, or puts an archived one back on sale. */
export function useArchiveTier() {
  const { id: workspaceId } = useWorkspace();
  return useAction({
    question: ({ name, isActive }: Tier) =>
      isActive
        ? {
            title: `Archive ${name}?`,
            text: "Nobody can buy it anymore. Ads already bought in it keep running and are billed as before. You can put it back on sale at any time.",
            action: "Archive tier",
          }
        : null,
    send: ({ id: tierId, isActive }) =>
      isActive ? api.tiers.archive({ workspaceId, tierId }) : api.tiers.unarchive({ workspaceId, tierId }),
    done: ({ name, isActive }) => (isActive ? `${name} back on sale` : `${name} archived`),
    onDone: (tier, client) => takeTier(client, workspaceId, tier),
  });
}

/** Moves a tier on sale. The list shows it immediately, and reverts if it fails. */
export function useMoveTier(): (tiers: readonly Tier[], from: number, to: number) => void {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = tiersQuery(workspaceId);
  const send = useReorder(query.tiers.key(), async (changes: ReturnType<typeof orderChanges>) => {
    for (const { id, order } of changes) await api.tiers.update({ workspaceId, tierId: id, order });
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
    send(changes);
  };
}
