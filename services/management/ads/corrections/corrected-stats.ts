import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Correction } from "#libs/domain/correction.ts";
import { dayOf, type StatsWindow } from "#libs/domain/stats-window.ts";
import type { ReportSpan, StatsStore } from "#libs/stats-store/index.ts";

/**
 * The stats as people read them: with what each workspace has corrected. All of management has only these. A report that names
 * corrections, or none, is counted with just those.
 */
export function correctedStats(stats: StatsStore, db: Kysely<Tables>): StatsStore {
  const applied = (id: string, days?: StatsWindow) => appliedCorrections(db, id, days);
  return {
    ...stats,
    dailyOfAd: async (id, adId, days) => stats.dailyOfAd(id, adId, days, await applied(id, days)),
    dailyOfWorkspace: async (id, days) => stats.dailyOfWorkspace(id, days, await applied(id, days)),
    countsByAd: async (id, days) => stats.countsByAd(id, days, await applied(id, days)),
    countsOfAds: async (id, adIds, days) => stats.countsOfAds(id, adIds, days, await applied(id, days)),
    topAds: async (id, days, by, limit) => stats.topAds(id, days, by, limit, await applied(id, days)),
    trafficOfAd: async (id, adId, days) => stats.trafficOfAd(id, adId, days, await applied(id, days)),
    trafficOfWorkspace: async (id, days) => stats.trafficOfWorkspace(id, days, await applied(id, days)),
    audienceOfWorkspace: async (id, days) => stats.audienceOfWorkspace(id, days, await applied(id, days)),
    visitorsOfAd: async (id, adId, days) => stats.visitorsOfAd(id, adId, days, await applied(id, days)),
    reportCounts: async (request, limit) => {
      const { corrections = await applied(request.workspaceId, daysOf([request])) } = request;
      return stats.reportCounts({ ...request, corrections }, limit);
    },
    mostCounted: async (groups, spans, most) => {
      const { corrections = await applied(groups.workspaceId, daysOf(spans)) } = groups;
      return stats.mostCounted({ ...groups, corrections }, spans, most);
    },
  };
}

/** The corrections that apply, as far as they reach into some days. */
async function appliedCorrections(
  db: Kysely<Tables>,
  workspaceId: string,
  { from, to }: StatsWindow = { from: "0000-01-01", to: "9999-12-31" },
): Promise<Correction[]> {
  return await db
    .selectFrom("corrections")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "Applied")
    .where("last_day", ">=", from)
    .where("first_day", "<=", to)
    .select([
      "ad_id as adId",
      sql<string>`greatest(first_day, ${from})`.as("from"),
      sql<string>`least(last_day, ${to})`.as("to"),
    ])
    .execute();
}

/** The UTC days that some spans of time touch. */
function daysOf(spans: readonly ReportSpan[]): StatsWindow {
  return {
    from: dayOf(Math.min(...spans.map(({ from }) => from))),
    to: dayOf(Math.max(...spans.map(({ until }) => until)) - 1),
  };
}
