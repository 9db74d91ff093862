import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import { notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { listFieldIds } from "../fields/queries.ts";
import { servingRoutes } from "./pause.ts";
import { presentAd, presentListedAd } from "./present.ts";
import { findAd, listAds } from "./queries.ts";
import { reviewRoutes } from "./review.ts";

export const adRoutes = {
  list: api.ads.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await listAds(services.db, input.workspaceId, input.status, input);
    return { ...envelope, items: rows.map(presentListedAd) };
  }),

  get: api.ads.get.handler(async ({ input, context: { services } }) => {
    const row = await findAd(services.db, input.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    return presentAd(row, await listFieldIds(services.db, input.workspaceId));
  }),

  stats: api.ads.stats.handler(async ({ input, context: { services } }) => {
    const row = await findAd(services.db, input.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    const window = statsWindow(input.days, services.now());
    const counts = await services.stats.dailyOfAd(input.workspaceId, row.id, window);
    return { days: input.days, ...fillDays(window, counts) };
  }),

  ...reviewRoutes,
  ...servingRoutes,
};
