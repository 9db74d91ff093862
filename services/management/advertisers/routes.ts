import { notFound } from "#libs/http/index.ts";
import { presentAdvertisersAd } from "../ads/present.ts";
import { findAdsOfAdvertiser } from "../ads/queries.ts";
import { api, forMembers } from "../api.ts";
import { presentAdvertiser } from "./present.ts";
import { findAdvertiser, findCurrency, findSubscriptions, listAdvertisers } from "./queries.ts";
import { countsOf, listedTotals, totalsOf } from "./totals.ts";

export const advertiserRoutes = {
  /** Without counts, so that the list does not depend on the stats store. */
  list: forMembers(api.advertisers.list, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { query = "" } = input;
    const { envelope, rows } = await listAdvertisers(services.db, workspaceId, query.trim(), input);
    const ids = rows.map(({ id }) => id);
    const subscriptions = await findSubscriptions(services.db, workspaceId, ids);
    const currency = await findCurrency(services.db, workspaceId);

    const byAdvertiser = Map.groupBy(subscriptions, (one) => one.advertiser_id);
    const items = rows.map((row) => ({
      ...presentAdvertiser(row),
      totals: listedTotals(byAdvertiser.get(row.id) ?? [], currency, services.now()),
    }));
    return { ...envelope, items };
  }),

  get: forMembers(api.advertisers.get, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const row = await findAdvertiser(services.db, workspaceId, input.advertiserId);
    if (row === undefined) throw notFound("Advertiser");
    const subscriptions = await findSubscriptions(services.db, workspaceId, [row.id]);
    const ads = await findAdsOfAdvertiser(services.db, workspaceId, row.id);
    const currency = await findCurrency(services.db, workspaceId);
    const adIds = ads.map(({ id }) => id);
    const counts = new Map(
      (await services.stats.countsOfAds(workspaceId, adIds)).map((count) => [count.adId, count]),
    );

    const shownAds = ads.map((ad) => presentAdvertisersAd(ad, countsOf(counts, ad.id)));
    return {
      ...presentAdvertiser(row),
      totals: totalsOf(subscriptions, counts, currency, services.now()),
      latestAd: shownAds[0] ?? null,
      ads: shownAds,
    };
  }),
};
