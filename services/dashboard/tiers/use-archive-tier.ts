import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Tier } from "./shapes.ts";
import { takeTier } from "./tiers-query.ts";

/** Ends a tier's sale, after asking, and begins it again. */
export function useArchiveTier() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const change = useMutation({
    mutationFn: async ({ tier, isActive }: { readonly tier: Tier; readonly isActive: boolean }) => {
      const one = { workspaceId, tierId: tier.id };
      return isActive ? await api.tiers.unarchive(one) : await api.tiers.archive(one);
    },
    onSuccess: (tier) => {
      takeTier(queryClient, workspaceId, tier);
      notifyDone(tier.isActive ? `${tier.name} is on sale again` : `${tier.name} is archived`);
    },
    onError: notifyProblem,
  });

  return {
    isChanging: change.isPending,
    archive: async (tier: Tier) => {
      const isMeant = await confirm({
        title: `Archive ${tier.name}?`,
        text: "Nobody can buy it any more. Ads already bought in it keep running, and are billed as before. You can put it back on sale at any time.",
        action: "Archive tier",
        isDangerous: true,
      });
      if (isMeant) change.mutate({ tier, isActive: false });
    },
    unarchive: (tier: Tier) => change.mutate({ tier, isActive: true }),
  };
}
