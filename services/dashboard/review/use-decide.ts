import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Ad } from "#libs/contract/ad.ts";
import type { ToReview } from "#libs/contract/ads.ts";
import type { Revision } from "#libs/contract/revisions.ts";
import { api, query } from "../api/client.ts";
import { openRevisionQuery, reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { notifyDone, notifyProblem } from "../components/notify.ts";
import { type AdAction, adDone, isReview, REVISION_DONE, type RevisionAction } from "./decisions.ts";
import { isConflict } from "./notices.tsx";

interface OneAd {
  readonly workspaceId: string;
  readonly adId: string;
}

/** The content that a decision is about: another submission since makes it fail. */
interface SeenAd extends OneAd {
  readonly version: number;
}

/** A decision that was made. */
interface Made {
  /** What has waited longest of everything else; null if nothing waits, undefined if the decision was no review. */
  readonly next: ToReview | null | undefined;
  readonly words: string;
}

interface Decision<Action> {
  readonly action: Action;
  readonly note?: string;
  /** With a rejection: whether the advertiser gets the money back. */
  readonly refund?: boolean;
}

/** The mutation behind the buttons of a decision. */
export type Decide<Action extends string> = ReturnType<typeof useDecision<Action>>;

/**
 * Makes decisions on an ad. An approval shows immediately and is reverted if it fails; the others, which need the
 * payment processor, show once they are made.
 */
export function useDecide(ad: Ad): Decide<AdAction> {
  const { id: adId, version } = ad;
  return useDecision(adId, adDone(ad), isReview, async (decision, oneAd, client) => {
    const seen = { ...oneAd, version };
    const queryKey = query.ads.get.queryKey({ input: oneAd });
    if (decision.action !== "approve") {
      client.setQueryData(queryKey, await decide(seen, decision.action, decision));
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
      client.setQueryData(queryKey, await api.ads.approve(seen));
    } catch (error) {
      client.setQueryData(queryKey, before);
      throw error;
    }
  });
}

async function decide(
  seen: SeenAd,
  action: Exclude<AdAction, "approve">,
  { note = "", refund = false }: Pick<Decision<AdAction>, "note" | "refund">,
): Promise<Ad> {
  const { version: _version, ...oneAd } = seen;
  switch (action) {
    case "request-changes":
      return await api.ads.requestChanges({ ...seen, note });
    case "reject":
      return await api.ads.reject({ ...seen, note, refund });
    case "pause":
      return await api.ads.pause(oneAd);
    case "resume":
      return await api.ads.resume(oneAd);
  }
}

/** Makes decisions on the open revision of an ad. Results show once the server confirms them. */
export function useDecideRevision(adId: string, revision: Revision | null): Decide<RevisionAction> {
  const seen = revision === null ? {} : { version: revision.version };
  const isAlwaysReview = () => true;
  return useDecision(adId, REVISION_DONE, isAlwaysReview, async ({ action, note = "" }, ofAd, client) => {
    const oneAd = { ...ofAd, ...seen };
    const revisionKey = openRevisionQuery(oneAd.workspaceId, adId).queryKey;
    if (action === "request-changes") {
      client.setQueryData(revisionKey, await api.revisions.requestChanges({ ...oneAd, note }));
      return;
    }
    const ad =
      action === "approve"
        ? await api.revisions.approve(oneAd)
        : await api.revisions.reject({ ...oneAd, note });
    client.setQueryData(query.ads.get.queryKey({ input: ofAd }), ad);
    client.setQueryData(revisionKey, null);
  });
}

/** Makes decisions with `make`, then reloads what they can change: the ad, its lists, its revision, its advertiser. */
function useDecision<Action extends string>(
  adId: string,
  done: Readonly<Record<Action, string>>,
  isAboutContent: (action: Action) => boolean,
  make: (decision: Decision<Action>, oneAd: OneAd, client: QueryClient) => Promise<void>,
) {
  const client = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  const oneAd = { workspaceId, adId };
  return useMutation({
    mutationFn: async (decision: Decision<Action>): Promise<Made> => {
      // They are about the ad as it was, and making the decision changes it.
      const words = done[decision.action];
      await make(decision, oneAd, client);
      return { next: isAboutContent(decision.action) ? await findNext(client, oneAd) : undefined, words };
    },
    onError: (error, { note }) => {
      // The note dialog shows its own errors, and the page shows conflicts.
      if (note === undefined && !isConflict(error)) notifyProblem(error);
    },
    onSuccess: ({ words }) => notifyDone(words),
    onSettled: () => {
      const affected = [
        query.ads.get.key({ input: oneAd }),
        query.ads.eligibility.key({ input: oneAd }),
        query.ads.list.key(),
        query.ads.toReview.key(),
        query.revisions.key(),
        query.advertisers.key(),
        query.invoices.key(),
      ];
      for (const queryKey of affected) void client.invalidateQueries({ queryKey });
    },
  });
}

/** What to review after a decision on this ad. */
async function findNext(client: QueryClient, { workspaceId, adId }: OneAd): Promise<ToReview | null> {
  // Only an offer: the decision stands, whether it can be made or not.
  const queue = await client
    .fetchQuery({ ...reviewQueueQuery(workspaceId), staleTime: 0, networkMode: "always", retry: false })
    .catch(() => null);
  return queue?.items.find((entry) => entry.adId !== adId) ?? null;
}
