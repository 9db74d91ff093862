import { within } from "#libs/async/index.ts";
import type { AdRank } from "#libs/domain/list-orders.ts";
import { type Counts, statsWindow } from "#libs/domain/stats-window.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";

const DAYS = 30;
/** The most ads that a list orders by their counts; the others follow, newest first. */
const MOST_RANKED = 10_000;
/** A list must not wait for a stats store that is away. */
const ANSWERS_WITHIN_MS = 2_000;

/** The counts of some ads in the last 30 days. */
export type RecentCounts = ReadonlyMap<string, Counts>;

/** The counts of the named ads in the last 30 days; null while the stats store is away. */
export async function recentCountsOf(
  stats: StatsStore,
  workspaceId: string,
  adIds: readonly string[],
  now: number,
): Promise<RecentCounts | null> {
  if (adIds.length === 0) return new Map();
  return await countsOrNull(stats.countsOfAds(workspaceId, adIds, statsWindow(DAYS, now)));
}

/** The ads with the highest counts in the last 30 days, highest first, with them; null while the stats store is away. */
export async function rankedCounts(
  stats: StatsStore,
  workspaceId: string,
  order: AdRank,
  now: number,
): Promise<RecentCounts | null> {
  return await countsOrNull(stats.topAds(workspaceId, statsWindow(DAYS, now), order, MOST_RANKED));
}

/** Whether an ad that is not among ranked counts has none. */
export function isWhole(ranked: RecentCounts): boolean {
  return ranked.size < MOST_RANKED;
}

async function countsOrNull(
  counts: Promise<readonly (Counts & { readonly adId: string })[]>,
): Promise<RecentCounts | null> {
  const found = await within(ANSWERS_WITHIN_MS, "stats of a list", counts).catch(() => null);
  return found === null
    ? null
    : new Map(found.map(({ adId, impressions, clicks }) => [adId, { impressions, clicks }]));
}
