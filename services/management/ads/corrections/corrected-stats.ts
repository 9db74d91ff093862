import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Correction } from "#libs/domain/correction.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";

/** The stats as people read them: with what each workspace has corrected. All of management has only these. */
export function correctedStats(stats: StatsStore, db: Kysely<Tables>): StatsStore {
  const applied = async (workspaceId: string): Promise<Correction[]> => {
    const rows = await db
      .selectFrom("corrections")
      .where("workspace_id", "=", workspaceId)
      .where("status", "=", "Applied")
      .select(["ad_id as adId", "first_day as from", "last_day as to"])
      .execute();
    return rows;
  };
  return {
    ...stats,
    dailyOfAd: async (id, adId, days) => stats.dailyOfAd(id, adId, days, await applied(id)),
    dailyOfWorkspace: async (id, days) => stats.dailyOfWorkspace(id, days, await applied(id)),
    countsByAd: async (id, days) => stats.countsByAd(id, days, await applied(id)),
    countsOfAds: async (id, adIds, days) => stats.countsOfAds(id, adIds, days, await applied(id)),
    topAds: async (id, days, by, limit) => stats.topAds(id, days, by, limit, await applied(id)),
    trafficOfAd: async (id, adId, days) => stats.trafficOfAd(id, adId, days, await applied(id)),
    trafficOfWorkspace: async (id, days) => stats.trafficOfWorkspace(id, days, await applied(id)),
    audienceOfWorkspace: async (id, days) => stats.audienceOfWorkspace(id, days, await applied(id)),
    visitorsOfAd: async (id, adId, days) => stats.visitorsOfAd(id, adId, days, await applied(id)),
    reportCounts: async (request, limit) =>
      stats.reportCounts({ ...request, corrections: await applied(request.workspaceId) }, limit),
    mostCounted: async (groups, spans, most) =>
      stats.mostCounted({ ...groups, corrections: await applied(groups.workspaceId) }, spans, most),
  };
}
