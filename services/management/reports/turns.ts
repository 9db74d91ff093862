import { FairTurns } from "#libs/async/index.ts";
import type { ReportStats } from "./read.ts";

/** A query of a large workspace has ClickHouse at work for a second. Most connections are left to everything else. */
const QUERIES_AT_A_TIME = 4;

/** The counts of the store for an owner of workspaces: one query of each owner at a time, and a few at once. */
export function createQueryTurns(stats: ReportStats): (owner: string) => ReportStats {
  const turns = new FairTurns(QUERIES_AT_A_TIME, null);
  return (owner) => ({
    reportCounts: (request, limit) => turns.run(owner, () => stats.reportCounts(request, limit)),
    firstCounted: (workspaceId, from) => turns.run(owner, () => stats.firstCounted(workspaceId, from)),
  });
}
