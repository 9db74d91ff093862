import type { Verdict } from "#libs/domain/event.ts";
import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import { notFound } from "#libs/http/index.ts";
import type { TrafficCount } from "#libs/stats-store/index.ts";
import { api } from "../api.ts";
import { hasAd } from "./queries.ts";

/** What was counted for an ad, and what was not. */
export const countRoutes = {
  stats: api.ads.stats.handler(async ({ input, context: { services } }) => {
    const { workspaceId, adId, days } = input;
    if (!(await hasAd(services.db, workspaceId, adId))) throw notFound("Ad");
    const window = statsWindow(days, services.now());
    const counts = await services.stats.dailyOfAd(workspaceId, adId, window);
    return { days, ...fillDays(window, counts) };
  }),

  traffic: api.ads.traffic.handler(async ({ input, context: { services } }) => {
    const { workspaceId, adId, days } = input;
    if (!(await hasAd(services.db, workspaceId, adId))) throw notFound("Ad");
    const window = statsWindow(days, services.now());
    const [counts, visitors] = await Promise.all([
      services.stats.trafficOfAd(workspaceId, adId, window),
      services.stats.visitorsOfAd(workspaceId, adId, window),
    ]);
    return { days, rows: counts.map(presentTraffic), totals: totalsByVerdict(counts), visitors };
  }),
};

function presentTraffic({ day, kind, verdict, events }: TrafficCount) {
  return { date: new Date(day).toISOString(), kind, verdict, events };
}

function totalsByVerdict(counts: readonly TrafficCount[]): Record<Verdict, number> {
  const totals: Record<Verdict, number> = { valid: 0, bot: 0, prefetch: 0, duplicate: 0, not_serving: 0 };
  for (const { verdict, events } of counts) totals[verdict] += events;
  return totals;
}
