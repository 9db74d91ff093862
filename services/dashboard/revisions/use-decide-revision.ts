import { useMutation, useQueryClient } from "@tanstack/react-query";
import { openRevisionQuery } from "../ads/ad-queries.ts";
import { isConflict } from "../ads/conflict.tsx";
import { refreshAd } from "../ads/use-decide.ts";
import { api, query } from "../shell/client.ts";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { REVISION_WORDS, type RevisionAction } from "./revision-decisions.ts";

interface RevisionDecision {
  readonly action: RevisionAction;
  readonly note?: string;
}

/** Makes decisions on the open revision of an ad, and shows what they lead to once they are made. */
export function useDecideRevision(adId: string) {
  const client = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  const oneAd = { workspaceId, adId };
  const revisionKey = openRevisionQuery(workspaceId, adId).queryKey;

  return useMutation({
    // Without a connection it fails at once: a decision that waits for one would look as if it were made.
    networkMode: "always",
    mutationFn: async ({ action, note = "" }: RevisionDecision) => {
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
    },
    onError: (error, { note }) => {
      if (note === undefined && !isConflict(error)) notifyProblem(error);
    },
    onSuccess: (_nothing, { action }) => notifyDone(REVISION_WORDS[action].done),
    onSettled: () => {
      void refreshAd(client, oneAd);
    },
  });
}
