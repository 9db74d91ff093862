import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { Member } from "#libs/contract/members.ts";
import type { Tier } from "#libs/contract/tiers.ts";
import { api, query } from "./client.ts";
import { type ListPage, loadAllPages, PER_PAGE, type Place } from "./load-all-pages.ts";

const MOST_REVISIONS = 1000;

/** All rows of a list of the workspace, in the list's order. */
function allQuery<Row extends { readonly id: string }>(
  key: QueryKey,
  workspaceId: string,
  list: (
    input: Place & { readonly workspaceId: string },
    options: { readonly signal: AbortSignal },
  ) => Promise<ListPage<Row>>,
) {
  return queryOptions({
    queryKey: [...key, "all", workspaceId],
    queryFn: async ({ signal }) => {
      const load = (place: Place) => list({ workspaceId, ...place }, { signal });
      return (await loadAllPages(load, ({ id }) => id)).rows;
    },
  });
}

/** All tiers of a workspace in display order, archived ones included. */
export function tiersQuery(workspaceId: string) {
  return allQuery(query.tiers.key(), workspaceId, api.tiers.list);
}

/** Shows a tier as the server has just returned it, and reloads everything that shows tiers. */
export function takeTier(queryClient: QueryClient, workspaceId: string, tier: Tier): void {
  queryClient.setQueryData(tiersQuery(workspaceId).queryKey, (tiers) =>
    tiers === undefined ? undefined : inOrder([...tiers.filter(({ id }) => id !== tier.id), tier]),
  );
  void queryClient.invalidateQueries({ queryKey: query.tiers.key() });
}

/** Tiers as the server lists them: by `order`, then by id. */
export function inOrder(tiers: readonly Tier[]): Tier[] {
  return tiers.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

/** All creative fields of a workspace in their order. */
export function fieldsQuery(workspaceId: string) {
  return allQuery(query.fields.key(), workspaceId, api.fields.list);
}

/** All members of a workspace; those who joined first come first. */
export function membersQuery(workspaceId: string) {
  return allQuery(query.members.key(), workspaceId, api.members.list);
}

/** Shows a member as the server has just returned them. */
export function takeMember(queryClient: QueryClient, workspaceId: string, member: Member): void {
  queryClient.setQueryData(membersQuery(workspaceId).queryKey, (members) =>
    members?.map((one) => (one.id === member.id ? member : one)),
  );
}

/** All pending invitations of a workspace, newest first. For Owners only. */
export function invitationsQuery(workspaceId: string) {
  return allQuery(query.invitations.key(), workspaceId, api.invitations.list);
}

/**
 * A page of what waits for a review, with the numbers of all that does; reloaded every minute, and wherever it comes into
 * view: the navigation has the first page always, so that a list of ads beside it would be newer.
 */
export function reviewQueueQuery(
  workspaceId: string,
  part: { readonly page?: number; readonly kind?: "ad" | "revision"; readonly tierId?: string } = {},
) {
  return query.ads.toReview.queryOptions({
    input: { workspaceId, page: 1, ...part },
    refetchInterval: 60_000,
    refetchOnMount: "always",
  });
}

const SHOWN_PURCHASES = 5;

/** The newest purchases that have no ad yet, reloaded every minute. */
export function awaitedPurchasesQuery(workspaceId: string) {
  return query.subscriptions.list.queryOptions({
    input: { workspaceId, ad: "awaited", perPage: SHOWN_PURCHASES },
    refetchInterval: 60_000,
  });
}

/** The newest ads that were paid and ended before they ran, without a decision about the refund. Reloaded every minute. */
export function neverRanQuery(workspaceId: string) {
  return query.ads.list.queryOptions({
    input: { workspaceId, subscription: "NeverRan", perPage: SHOWN_PURCHASES },
    refetchInterval: 60_000,
  });
}

/** Whether anything has ever been bought: `total` is above zero. Reloaded every minute, and wherever it comes into view. */
export function purchasesQuery(workspaceId: string) {
  return query.subscriptions.list.queryOptions({
    input: { workspaceId, perPage: 1 },
    refetchInterval: 60_000,
    refetchOnMount: "always",
  });
}

/** The newest open revisions of a workspace. */
export function openRevisionsQuery(workspaceId: string) {
  return query.revisions.list.queryOptions({ input: { workspaceId, perPage: PER_PAGE } });
}

/**
 * The open revision of an ad; null if there is none. The list comes first, since it has almost all of them: asking for
 * a revision that does not exist is an error in every browser's console.
 */
export function openRevisionQuery(workspaceId: string, adId: string) {
  return queryOptions({
    queryKey: [...query.revisions.get.key(), "or-null", workspaceId, adId],
    queryFn: async ({ signal }) => {
      const { rows, total } = await loadAllPages(
        (at) => api.revisions.list({ workspaceId, ...at }, { signal }),
        (revision) => revision.adId,
        MOST_REVISIONS,
      );
      const found = rows.find((one) => one.adId === adId);
      if (found !== undefined || rows.length >= total) return found ?? null;
      return await api.revisions.get({ workspaceId, adId }, { signal });
    },
  });
}
