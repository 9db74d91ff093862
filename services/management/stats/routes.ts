import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import { api, forMembers } from "../api.ts";
import { presentTraffic } from "./present.ts";

export const statsRoutes = {
  workspace: forMembers(api.stats.workspace, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { days } = input;
    const window = statsWindow(days, services.now());
    const [counts, ads] = await Promise.all([
      services.stats.dailyOfWorkspace(workspaceId, window),
      services.stats.countsByAd(workspaceId, window),
    ]);
    return {
      days,
      ...fillDays(window, counts),
      ads: ads.toSorted((a, b) => b.impressions - a.impressions || b.clicks - a.clicks),
    };
  }),

  traffic: forMembers(api.stats.traffic, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { days } = input;
    const window = statsWindow(days, services.now());
    const [counts, { visitors }] = await Promise.all([
      services.stats.trafficOfWorkspace(workspaceId, window),
      services.stats.audienceOfWorkspace(workspaceId, window),
    ]);
    return presentTraffic(days, counts, visitors);
  }),
};
