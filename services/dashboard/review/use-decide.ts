import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Ad } from "#libs/contract/ad.ts";
import { api, query } from "../api/client.ts";
import { openRevisionQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { notifyDone, notifyProblem } from "../components/notify.ts";
import { AD_DONE, type AdAction, REVISION_DONE, type RevisionAction } from "./decisions.ts";
import { isConflict } from "./notices.tsx";

interface OneAd {
  readonly workspaceId: string;
  readonly adId: string;
}

interface Decision<Action> {
  readonly action: Action;
  readonly note?: string;
}

/** The mutation behind the buttons of a decision. */
export type Decide<Action extends string> = ReturnType<typeof useDecision<Action>>;

/**
 * Makes decisions on an ad. An approval shows immediately and is reverted if it fails; the others, which need the
 * payment processor, show once they are made.
 */
export function useDecide(ad: Ad): Decide<AdAction> {
  return useDecision(ad.id, AD_DONE, async (decision, oneAd, client) => {
    const queryKey = query.ads.get.queryKey({ input: oneAd });
    if (decision.action !== "approve") {
      client.setQueryData(queryKey, await decide(oneAd, decision.action, decision.note));
      return;
    }
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData(queryKey);
    const approved = {
      status: "Approved",
      reviewedAt: new Date().toISOString(),
      rejectionNote: null,
    } as const;
    client.setQueryData(queryKey, (now) => now && { ...now, ...approved });
    try {
      client.setQueryData(queryKey, await api.ads.approve(oneAd));
    } catch (error) {
      client.setQueryData(queryKey, before);
      throw error;
    }
  });
}

async function decide(oneAd: OneAd, action: Exclude<AdAction, "approve">, note = ""): Promise<Ad> {
  switch (action) {
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

/** Makes decisions on the open revision of an ad. Results show once the server confirms them. */
export function useDecideRevision(adId: string): Decide<RevisionAction> {
  return useDecision(adId, REVISION_DONE, async ({ action, note = "" }, oneAd, client) => {
    const revisionKey = openRevisionQuery(oneAd.workspaceId, adId).queryKey;
    if (action === "request-changes") {
      client.setQueryData(revisionKey, await api.revisions.requestChanges({ ...oneAd, note }));
      return;
    }
    const ad =
      action === "approve"
        ? await api.revisions.approve(oneAd)
        : await api.revisions.reject({ ...oneAd, note });
    client.setQueryData(query.ads.get.queryKey({ input: oneAd }), ad);
    client.setQueryData(revisionKey, null);
  });
}

/** Makes decisions with `make`, then reloads what they can change: the ad, its lists, its revision, its advertiser. */
function useDecision<Action extends string>(
  adId: string,
  done: Readonly<Record<Action, string>>,
  make: (decision: Decision<Action>, oneAd: OneAd, client: QueryClient) => Promise<void>,
) {
  const client = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  const oneAd = { workspaceId, adId };
  return useMutation({
    // Without a connection it fails immediately: a queued decision would look like a made one.
    networkMode: "always",
    mutationFn: (decision: Decision<Action>) => make(decision, oneAd, client),
    onError: (error, { note }) => {
      // The note dialog shows its own errors, and the page shows conflicts.
      if (note === undefined && !isConflict(error)) notifyProblem(error);
    },
    onSuccess: (_nothing, { action }) => notifyDone(done[action]),
    onSettled: () => {
      const affected = [
        query.ads.get.key({ input: oneAd }),
        query.ads.eligibility.key({ input: oneAd }),
        query.ads.list.key(),
        query.ads.toReview.key(),
        query.revisions.key(),
        query.advertisers.key(),
      ];
      for (const queryKey of affected) void client.invalidateQueries({ queryKey });
    },
  });
}
