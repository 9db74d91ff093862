import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { readAllPages } from "../editing/all-pages.ts";
import { api, query } from "../shell/client.ts";
import type { Tier } from "./shapes.ts";

/** All tiers of a workspace in display order, archived ones included. */
export function tiersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...query.tiers.key(), "all", workspaceId],
    queryFn: () => readAllPages((at) => api.tiers.list({ workspaceId, ...at })),
  });
}

/** Shows a tier as the server has just answered it, and has everything that tells of tiers looked up anew. */
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
