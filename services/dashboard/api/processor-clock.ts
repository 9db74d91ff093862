import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Moment, momentAt } from "#libs/domain/moment.ts";
import { query } from "./client.ts";
import { useWorkspace } from "./workspace.ts";

/** Somebody may move the sandbox's clock in another tab. */
const FRESH_MS = 10_000;

/** How the workspace is paid, and the time at the payment processor. */
export function connectionQuery(workspaceId: string) {
  return queryOptions({
    ...query.connect.get.queryOptions({ input: { workspaceId } }),
    staleTime: FRESH_MS,
  });
}

/** This moment, also on the payment processor's clock: the times of subscriptions and invoices are on that one. */
export function useMoment(): Moment {
  const { id: workspaceId } = useWorkspace();
  const { data, dataUpdatedAt } = useQuery(connectionQuery(workspaceId));
  const aheadMs = data?.sandbox === true ? Date.parse(data.processorTime) - dataUpdatedAt : 0;
  return momentAt(Date.now(), aheadMs);
}
