import { queryOptions } from "@tanstack/react-query";
import { readAllPages } from "../editing/all-pages.ts";
import { api, query } from "../shell/client.ts";

export type Member = Awaited<ReturnType<typeof api.members.list>>["items"][number];
export type Invitation = Awaited<ReturnType<typeof api.invitations.list>>["items"][number];

/** All members of a workspace; those who joined first come first. */
export function membersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...query.members.key(), "all", workspaceId],
    queryFn: () => readAllPages((at) => api.members.list({ workspaceId, ...at })),
  });
}

/** All open invitations of a workspace, newest first. For Owners alone. */
export function invitationsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...query.invitations.key(), "all", workspaceId],
    queryFn: () => readAllPages((at) => api.invitations.list({ workspaceId, ...at })),
  });
}
