import { reasonsNotServed } from "#libs/domain/eligibility.ts";
import { notFound } from "#libs/http/index.ts";
import { api } from "../api.ts";
import { listFieldIds } from "../fields/queries.ts";
import { readAtOneMoment } from "../one-moment.ts";
import { countRoutes } from "./counts.ts";
import { servingFacts } from "./facts.ts";
import { pauseRoutes } from "./pause.ts";
import { presentAd, presentListedAd } from "./present.ts";
import { findAd, listAds } from "./queries.ts";
import { reviewRoutes } from "./review.ts";

export const adRoutes = {
  list: api.ads.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await readAtOneMoment(services.db, (trx) =>
      listAds(trx, input.workspaceId, input.status, input),
    );
    return { ...envelope, items: rows.map(presentListedAd) };
  }),

  get: api.ads.get.handler(async ({ input, context: { services } }) => {
    const row = await findAd(services.db, input.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    return presentAd(row, await listFieldIds(services.db, input.workspaceId));
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
