import { perVerdict } from "#libs/domain/event.ts";
import { MOST_ADS_IN_STATS } from "#libs/domain/limits.ts";
import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import type { StatsStore, TrafficCount } from "#libs/stats-store/index.ts";
import { api, forMembers } from "../api/api.ts";
import { inStatsTurn } from "../api/turns.ts";
import { requireAd } from "./queries.ts";

export interface StatsPorts {
  readonly stats: StatsStore;
  readonly now: () => number;
}

export const statsRoutes = ({ stats, now }: StatsPorts) => ({
  workspace: forMembers(api.stats.workspace, async ({ input: { days }, context: { access } }) => {
    const { workspaceId } = access;
    const window = statsWindow(days, now());
    const [counts, ads] = await Promise.all([
      stats.dailyOfWorkspace(workspaceId, window),
      stats.topAds(workspaceId, window, "impressions", MOST_ADS_IN_STATS),
    ]);
    return {
      days,
      ...fillDays(window, counts),
      ads: ads.toSorted((a, b) => b.impressions - a.impressions || b.clicks - a.clicks),
    };
  }),

  traffic: forMembers(api.stats.traffic, async ({ input: { days }, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const window = statsWindow(days, now());
    const [counts, { visitors }] = await Promise.all([
      stats.trafficOfWorkspace(workspaceId, window),
      inStatsTurn(db, workspaceId, reply.raw, () => stats.audienceOfWorkspace(workspaceId, window)),
    ]);
    return presentTraffic(days, counts, visitors);
  }),
});

/** The stats of an ad, and of its traffic by verdict. */
export const adStatsRoutes = ({ stats, now }: StatsPorts) => ({
  stats: forMembers(api.ads.stats, async ({ input: { adId, days }, context: { db, access } }) => {
    const { workspaceId } = access;
    const window = statsWindow(days, now());
    // Both run at once, because the store has no counts of another workspace's ad.
    const [counts] = await Promise.all([
      stats.dailyOfAd(workspaceId, adId, window),
      requireAd(db, workspaceId, adId),
    ]);
    return { days, ...fillDays(window, counts) };
  }),

  traffic: forMembers(api.ads.traffic, async ({ input: { adId, days }, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const window = statsWindow(days, now());
    const [counts, visitors] = await Promise.all([
      stats.trafficOfAd(workspaceId, adId, window),
      inStatsTurn(db, workspaceId, reply.raw, () => stats.visitorsOfAd(workspaceId, adId, window)),
      requireAd(db, workspaceId, adId),
    ]);
    return presentTraffic(days, counts, visitors);
  }),
});

/** The accepted events of a window of days, with the totals by verdict. */
function presentTraffic(days: number, counts: readonly TrafficCount[], visitors: number) {
  const totals = perVerdict(() => 0);
  for (const { verdict, events } of counts) totals[verdict] += events;
  return { days, rows: counts.map(presentCount), totals, visitors };
}

function presentCount({ day, kind, verdict, events }: TrafficCount) {
  return { date: new Date(day).toISOString(), kind, verdict, events };
}
