import type { Kysely, Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { MOST_ADS_OF_ADVERTISER } from "#libs/domain/limits.ts";
import { notFound } from "#libs/http/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import { api, forMembers } from "../../api/api.ts";
import { asCsvFile, streamCsv } from "../../api/csv.ts";
import type { PageRequest } from "../../api/pages.ts";
import { inPageTurn, partTurnsOf } from "../../api/turns.ts";
import { findCurrency } from "../../billing/ledger/revenue-queries.ts";
import { presentAdvertisersAd } from "../present.ts";
import { findAdsOfAdvertiser } from "../queries.ts";
import type { StatsPorts } from "../stats.ts";
import {
  type AdvertiserFilter,
  findAdvertiser,
  findSubscriptions,
  findUnpaid,
  findUnpaidInAll,
  listAdvertisers,
} from "./queries.ts";
import { asBought, countsOf, totalsOf, type UnpaidRow } from "./totals.ts";

interface AdvertiserPorts extends StatsPorts {
  readonly payments: Pick<Payments, "moment">;
}

export const advertiserRoutes = ({ stats, now, payments }: AdvertiserPorts) => ({
  list: forMembers(api.advertisers.list, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const read = () => readPage({ stats, now, payments, db }, workspaceId, input, input);
    // An advertiser may have any number of subscriptions.
    const { envelope, items, currency } = await inPageTurn(db, workspaceId, reply.raw, read);
    const unpaid = await findUnpaidInAll(db, workspaceId);
    return {
      ...envelope,
      items,
      unpaid: unpaid.toSorted((a, b) => Number(b.currency === currency) - Number(a.currency === currency)),
    };
  }),

  exportList: forMembers(api.advertisers.exportList, async ({ input, context: { db, access, reply } }) => {
    const turn = await partTurnsOf(db, access.workspaceId);
    const file = await streamCsv(turn, CSV_COLUMNS, async (after) => {
      const part = { ...EXPORT_PART, after };
      const filter = { ...input, sort: "newest" as const };
      const { envelope, items } = await readPage(
        { stats, now, payments, db },
        access.workspaceId,
        filter,
        part,
      );
      const lines = items.map(({ totals, ...advertiser }) => ({ ...advertiser, ...totals }));
      return { lines, next: envelope.nextCursor };
    });
    asCsvFile(reply, "advertisers", now());
    return file;
  }),

  get: forMembers(api.advertisers.get, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const row = await findAdvertiser(db, workspaceId, input.advertiserId);
    if (row === undefined) throw notFound("Advertiser");
    return await inPageTurn(db, workspaceId, reply.raw, async () => {
      const bought = await findSubscriptions(db, workspaceId, [row.id], asBought);
      const owed = await findUnpaid(db, workspaceId, [row.id]);
      const ads = await findAdsOfAdvertiser(db, workspaceId, row.id, MOST_ADS_OF_ADVERTISER);
      const currency = await findCurrency(db, workspaceId);
      const adIds = bought.flatMap(({ ad }) => ad?.id ?? []);
      const counts = await countsById(stats, workspaceId, adIds);

      const shownAds = ads.map((ad) => presentAdvertisersAd(ad, countsOf(counts, ad.id)));
      return {
        ...presentAdvertiser(row),
        totals: totalsOf(bought, counts, owed, currency, payments.moment(now()).atProcessor),
        latestAd: shownAds[0] ?? null,
        ads: shownAds,
      };
    });
  }),
});

/** Advertisers read at a time for an export. */
const EXPORT_PART = { page: 1, perPage: 500, isUncounted: true };

const CSV_COLUMNS = [
  "id",
  "name",
  "email",
  "createdAt",
  "updatedAt",
  "ads",
  "activeAds",
  "activeSubscriptions",
  "impressions",
  "clicks",
  "currency",
  "monthlyAmount",
  "lifetimeAmount",
  "refundedAmount",
  "unpaidAmount",
  "nextRenewalAt",
  "churnedAt",
  "canceling",
  "cancelAt",
  "cancellationSummary",
] as const;

type ListInput = Omit<AdvertiserFilter, "search" | "currency"> & { readonly query?: string | undefined };

/** One page of advertisers with their totals, and the currency of the workspace. */
async function readPage(
  { stats, now, payments, db }: AdvertiserPorts & { readonly db: Kysely<Tables> },
  workspaceId: string,
  { query, ...given }: ListInput,
  request: PageRequest,
) {
  const currency = await findCurrency(db, workspaceId);
  const filter = { ...given, search: query?.trim() ?? "", currency };
  const { envelope, rows } = await listAdvertisers(db, workspaceId, filter, request);
  const ids = rows.map(({ id }) => id);
  const bought = await findSubscriptions(db, workspaceId, ids, asBought);
  const owed = await findUnpaid(db, workspaceId, ids);
  const adIds = bought.flatMap(({ ad }) => ad?.id ?? []);
  const counts = await countsById(stats, workspaceId, adIds);

  const { atProcessor } = payments.moment(now());
  const byAdvertiser = Map.groupBy(bought, ({ advertiserId }) => advertiserId);
  const items = rows.map((row) => {
    const theirs = byAdvertiser.get(row.id) ?? [];
    const totals = totalsOf(theirs, counts, ofAdvertiser(owed, row.id), currency, atProcessor);
    return { ...presentAdvertiser(row), totals };
  });
  return { envelope, items, currency };
}

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
