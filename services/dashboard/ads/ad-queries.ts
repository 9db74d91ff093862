import { queryOptions } from "@tanstack/react-query";
import { CAPS } from "#libs/domain/caps.ts";
import { api, query } from "../shell/client.ts";
import { loadAllPages, ROWS_AT_A_TIME } from "./load-all-pages.ts";

/** All creative fields of a workspace, in their order. */
export function allFieldsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...query.fields.list.key(), "all", workspaceId],
    queryFn: async ({ signal }) => {
      const { rows } = await loadAllPages(CAPS.fields.most, (page) =>
        api.fields.list({ workspaceId, page, perPage: ROWS_AT_A_TIME }, { signal }),
      );
      return rows;
    },
    staleTime: 60_000,
  });
}

/** All tiers of a workspace, archived ones included, in their order. */
export function allTiersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...query.tiers.list.key(), "all", workspaceId],
    queryFn: async ({ signal }) => {
      const { rows } = await loadAllPages(CAPS.tiers.most, (page) =>
        api.tiers.list({ workspaceId, page, perPage: ROWS_AT_A_TIME }, { signal }),
      );
      return rows;
    },
    staleTime: 60_000,
  });
}

/** The newest open revisions of a workspace. */
export function openRevisionsQuery(workspaceId: string) {
  return query.revisions.list.queryOptions({ input: { workspaceId, perPage: ROWS_AT_A_TIME } });
}

/**
 * The open revision of an ad, null where there is none. Looked for in the list first, which has almost all of them:
 * asking for one that does not exist is an error in every browser's console.
 */
export function openRevisionQuery(workspaceId: string, adId: string) {
  return queryOptions({
    queryKey: [...query.revisions.get.key(), "or-null", workspaceId, adId],
    queryFn: async ({ signal }) => {
      const { rows, total } = await loadAllPages(1000, async (page) => {
        const { items, ...envelope } = await api.revisions.list(
          { workspaceId, page, perPage: ROWS_AT_A_TIME },
          { signal },
        );
        return { ...envelope, items: items.map((one) => ({ ...one, id: one.adId })) };
      });
      const found = rows.find((one) => one.adId === adId);
      if (found !== undefined || rows.length >= total) return found ?? null;
      return await api.revisions.get({ workspaceId, adId }, { signal });
    },
  });
}
