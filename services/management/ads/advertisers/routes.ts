import type { Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import { api, forMembers } from "../../api/api.ts";
import { findCurrency } from "../../billing/ledger/queries.ts";
import { presentAdvertisersAd } from "../present.ts";
import { findAdsOfAdvertiser } from "../queries.ts";
import type { StatsPorts } from "../stats.ts";
import {
  findAdvertiser,
  findSubscriptions,
  findUnpaid,
  findUnpaidInAll,
  listAdvertisers,
} from "./queries.ts";
import { countsOf, totalsOf, type UnpaidRow } from "./totals.ts";

interface AdvertiserPorts extends StatsPorts {
  readonly payments: Pick<Payments, "moment">;
}

export const advertiserRoutes = ({ stats, now, payments }: AdvertiserPorts) => ({
  list: forMembers(api.advertisers.list, async ({ input, context: { db, access } }) => {
    const { workspaceId } = access;
    const search = input.query?.trim() ?? "";
    const { subscription, sort } = input;
    const currency = await findCurrency(db, workspaceId);
    const filter = { search, subscription, sort, currency };
    const { envelope, rows } = await listAdvertisers(db, workspaceId, filter, input);
    const ids = rows.map(({ id }) => id);
    const subscriptions = await findSubscriptions(db, workspaceId, ids);
    const owed = await findUnpaid(db, workspaceId, ids);
    const unpaid = await findUnpaidInAll(db, workspaceId);
    const adIds = subscriptions.flatMap((one) => (one.ad_id === null ? [] : [one.ad_id]));
    const counts = await countsById(stats, workspaceId, adIds);

    const { atProcessor } = payments.moment(now());
    const byAdvertiser = Map.groupBy(subscriptions, (one) => one.advertiser_id);
    const items = rows.map((row) => ({
      ...presentAdvertiser(row),
      totals: totalsOf(
        byAdvertiser.get(row.id) ?? [],
        counts,
        ofAdvertiser(owed, row.id),
        currency,
        atProcessor,
      ),
    }));
    return {
      ...envelope,
      items,
      unpaid: unpaid.toSorted((a, b) => Number(b.currency === currency) - Number(a.currency === currency)),
    };
  }),

  get: forMembers(api.advertisers.get, async ({ input, context: { db, access } }) => {
    const { workspaceId } = access;
    const row = await findAdvertiser(db, workspaceId, input.advertiserId);
    if (row === undefined) throw notFound("Advertiser");
    const subscriptions = await findSubscriptions(db, workspaceId, [row.id]);
    const owed = await findUnpaid(db, workspaceId, [row.id]);
    const ads = await findAdsOfAdvertiser(db, workspaceId, row.id);
    const currency = await findCurrency(db, workspaceId);
    const adIds = ads.map(({ id }) => id);
    const counts = await countsById(stats, workspaceId, adIds);

    const shownAds = ads.map((ad) => presentAdvertisersAd(ad, countsOf(counts, ad.id)));
    return {
      ...presentAdvertiser(row),
      totals: totalsOf(subscriptions, counts, owed, currency, payments.moment(now()).atProcessor),
      latestAd: shownAds[0] ?? null,
      ads: shownAds,
    };
  }),
});

async function countsById(stats: StatsPorts["stats"], workspaceId: string, adIds: string[]) {
  const counts = adIds.length === 0 ? [] : await stats.countsOfAds(workspaceId, adIds);
  return new Map(counts.map((count) => [count.adId, count]));
}

function ofAdvertiser(owed: readonly UnpaidRow[], advertiserId: string): UnpaidRow[] {
  return owed.filter((row) => row.advertiser_id === advertiserId);
}

/** An advertiser without totals and ads. */
function presentAdvertiser(row: Selectable<Tables["advertisers"]>) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
