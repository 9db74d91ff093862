import { type AdvertiserTotals, advertiserTotals } from "#libs/domain/advertiser-totals.ts";
import { notFound } from "#libs/http/index.ts";
import type { AdCount } from "#libs/stats-store/index.ts";
import { presentAdvertisersAd } from "../ads/present.ts";
import { findAdsOfAdvertiser } from "../ads/queries.ts";
import { api } from "../api.ts";
import { findAdvertiser, findSubscriptions } from "./queries.ts";

export const advertiserRoutes = {
  get: api.advertisers.get.handler(async ({ input, context: { services } }) => {
    const { workspaceId } = input;
    const row = await findAdvertiser(services.db, workspaceId, input.advertiserId);
    if (row === undefined) throw notFound("Advertiser");
    const subscriptions = await findSubscriptions(services.db, workspaceId, row.id);
    const ads = await findAdsOfAdvertiser(services.db, workspaceId, row.id);
    const counts = await services.stats.countsOfAds(
      workspaceId,
      ads.map((ad) => ad.id),
    );

    const countsById = new Map(counts.map((count) => [count.adId, count]));
    const shownAds = ads.map((ad) => presentAdvertisersAd(ad, countsOf(countsById, ad.id)));
    const totals = advertiserTotals(
      subscriptions.map((one) => asBillingFacts(one, countsById)),
      row.currency,
      services.now(),
    );
    return {
      id: row.id,
      name: row.name,
      email: row.email,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      totals: presentTotals(totals),
      latestAd: shownAds[0] ?? null,
      ads: shownAds,
    };
  }),
};

type SubscriptionRow = Awaited<ReturnType<typeof findSubscriptions>>[number];

function asBillingFacts(row: SubscriptionRow, countsById: ReadonlyMap<string, AdCount>) {
  return {
    status: row.status,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    cancelAt: row.cancel_at?.getTime() ?? null,
    canceledAt: row.canceled_at?.getTime() ?? null,
    cancellationFeedback: row.cancellation_feedback,
    trialEnd: row.trial_end?.getTime() ?? null,
    currentPeriodStart: row.current_period_start?.getTime() ?? null,
    currentPeriodEnd: row.current_period_end?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    paidAmount: row.paid_amount,
    chargedAmount: null,
    price: {
      interval: row.interval,
      intervalCount: row.interval_count,
      amount: row.amount,
      currency: row.currency,
    },
    ad:
      row.ad_id === null || row.ad_status === null
        ? null
        : { status: row.ad_status, ...countsOf(countsById, row.ad_id) },
  };
}

function countsOf(countsById: ReadonlyMap<string, AdCount>, adId: string) {
  const count = countsById.get(adId);
  return { impressions: count?.impressions ?? 0, clicks: count?.clicks ?? 0 };
}

function presentTotals(totals: AdvertiserTotals) {
  return {
    ...totals,
    nextRenewalAt: asTimestamp(totals.nextRenewalAt),
    churnedAt: asTimestamp(totals.churnedAt),
    cancelAt: asTimestamp(totals.cancelAt),
  };
}

function asTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
