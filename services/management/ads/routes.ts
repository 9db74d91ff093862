import { reasonsNotServed } from "#libs/domain/eligibility.ts";
import { notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { countRoutes } from "./counts.ts";
import { servingFacts } from "./facts.ts";
import { listAds } from "./lists.ts";
import { pauseRoutes } from "./pause.ts";
import { presentAd, presentListedAd } from "./present.ts";
import { findAd, findShownAd } from "./queries.ts";
import { reviewRoutes } from "./review.ts";

export const adRoutes = {
  list: api.ads.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await listAds(services.db, input.workspaceId, input.status, input);
    return { ...envelope, items: rows.map(presentListedAd) };
  }),

  get: api.ads.get.handler(async ({ input, context: { services } }) => {
    const row = await findShownAd(services.db, input.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    return presentAd(row, new Set(row.field_ids));
  }),

  eligibility: api.ads.eligibility.handler(async ({ input, context: { services } }) => {
    const row = await findAd(services.db, input.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    const reasons = reasonsNotServed(servingFacts(row), services.now());
    return {
      eligible: reasons.length === 0,
      reasons,
      servingSince: row.serving_since?.toISOString() ?? null,
      servingUntil: row.serving_until?.toISOString() ?? null,
    };
  }),

  ...countRoutes,
  ...reviewRoutes,
  ...pauseRoutes,
};
