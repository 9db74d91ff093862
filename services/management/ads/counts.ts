import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../api.ts";
import { presentTraffic } from "../stats/present.ts";
import { hasAd } from "./queries.ts";

/** What was counted for an ad, and what was not. */
export const countRoutes = {
  stats: forMembers(api.ads.stats, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { adId, days } = input;
    if (!(await hasAd(services.db, workspaceId, adId))) throw notFound("Ad");
    const window = statsWindow(days, services.now());
    const counts = await services.stats.dailyOfAd(workspaceId, adId, window);
    return { days, ...fillDays(window, counts) };
  }),

  traffic: forMembers(api.ads.traffic, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { adId, days } = input;
    if (!(await hasAd(services.db, workspaceId, adId))) throw notFound("Ad");
    const window = statsWindow(days, services.now());
    const [counts, visitors] = await Promise.all([
      services.stats.trafficOfAd(workspaceId, adId, window),
      services.stats.visitorsOfAd(workspaceId, adId, window),
    ]);
    return presentTraffic(days, counts, visitors);
  }),
};
