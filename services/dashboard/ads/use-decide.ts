import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "../shell/client.ts";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Ad } from "./ad-shapes.ts";
import { isConflict } from "./conflict.tsx";
import { type AdAction, decisionWords } from "./decisions.ts";

interface OneAd {
  readonly workspaceId: string;
  readonly adId: string;
}

/** A decision, with the note where the action takes one. */
export interface Decision {
  readonly action: AdAction;
  readonly note?: string;
}

/**
 * Makes decisions on an ad. An approval shows at once and is taken back if it fails; what the payment processor has a
 * say in shows when it is done. Either way everything that the decision touches is loaded anew.
 */
export function useDecide(ad: Ad) {
  const client = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  const oneAd = { workspaceId, adId: ad.id };
  const key = query.ads.get.queryKey({ input: oneAd });

  return useMutation({
    // Without a connection it fails at once: a decision that waits for one would look as if it were made.
    networkMode: "always",
    mutationFn: (decision: Decision) => decide(oneAd, decision),
    onMutate: async ({ action }) => {
      if (action !== "approve") return undefined;
      await client.cancelQueries({ queryKey: key });
      const before = client.getQueryData(key);
      const reviewedAt = new Date().toISOString();
      client.setQueryData(
        key,
        (now) => now && { ...now, status: "Approved" as const, reviewedAt, rejectionNote: null },
      );
      return before;
    },
    onError: (error, { note }, before) => {
      if (before !== undefined) client.setQueryData(key, before);
      // A dialog that asks for a note shows by itself what went wrong, and a conflict is told on the page.
      if (note === undefined && !isConflict(error)) notifyProblem(error);
    },
    onSuccess: (changed, { action }) => {
      client.setQueryData(key, changed);
      notifyDone(decisionWords(action, changed).done);
    },
    onSettled: () => {
      void refreshAd(client, oneAd);
    },
  });
}

/** Loads anew what a decision on an ad can have changed: the ad, lists with it, its revision, its advertiser. */
export async function refreshAd(client: QueryClient, oneAd: OneAd): Promise<void> {
  const keys = [
    query.ads.get.key({ input: oneAd }),
    query.ads.eligibility.key({ input: oneAd }),
    query.ads.list.key(),
    query.ads.toReview.key(),
    query.revisions.key(),
    query.advertisers.key(),
  ];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

async function decide(oneAd: OneAd, { action, note = "" }: Decision): Promise<Ad> {
  switch (action) {
    case "approve":
      return await api.ads.approve(oneAd);
    case "request-changes":
      return await api.ads.requestChanges({ ...oneAd, note });
    case "reject":
      return await api.ads.reject({ ...oneAd, note });
    case "pause":
      return await api.ads.pause(oneAd);
    case "resume":
      return await api.ads.resume(oneAd);
  }
}
