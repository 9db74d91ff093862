import { reasonsNotServed } from "#libs/domain/eligibility.ts";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../api.ts";
import { countRoutes } from "./counts.ts";
import { servingFacts } from "./facts.ts";
import { listAds } from "./lists.ts";
import { pauseRoutes } from "./pause.ts";
import { presentAd, presentListedAd } from "./present.ts";
import { countToReview, findAd, findShownAd } from "./queries.ts";
import { reviewRoutes } from "./review.ts";
import { searchAds } from "./search.ts";

export const adRoutes = {
  list: forMembers(api.ads.list, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { status, query, tierId, advertiserId, serving, sort } = input;
    const isPlain =
      [query, tierId, advertiserId, serving].every((given) => given === undefined) && sort === "newest";
    const { envelope, rows } = isPlain
      ? await listAds(services.db, workspaceId, status, input)
      : await searchAds(services.db, workspaceId, input, new Date(services.now()), input);
    return { ...envelope, items: rows.map(presentListedAd) };
  }),

  get: forMembers(api.ads.get, async ({ input, context: { services, access } }) => {
    const row = await findShownAd(services.db, access.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    return presentAd(row, new Set(row.field_ids));
  }),

  toReview: forMembers(api.ads.toReview, async ({ context: { services, access } }) =>
    countToReview(services.db, access.workspaceId),
  ),

  eligibility: forMembers(api.ads.eligibility, async ({ input, context: { services, access } }) => {
    const row = await findAd(services.db, access.workspaceId, input.adId);
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
