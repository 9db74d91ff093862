import { queryOptions } from "@tanstack/react-query";
import { readAllPages } from "../editing/all-pages.ts";
import { api, query } from "../shell/client.ts";

/** All creative fields of a workspace in their order. */
export function fieldsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...query.fields.key(), "all", workspaceId],
    queryFn: () => readAllPages((at) => api.fields.list({ workspaceId, ...at })),
  });
}
