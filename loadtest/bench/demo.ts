import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { MOST_ADS } from "#libs/domain/serving-limits.ts";
import { addressOf } from "../clients/visitors.ts";
import type { Placard } from "../processes/placard.ts";
import { until } from "../processes/until.ts";
import type { DemoBench } from "./bench.ts";
import type { Counted } from "./counting.ts";

/** A limit is whole again after a minute. */
const MOST_WAITED_S = 61;

const servedAds = z.object({ ads: z.array(z.object({ id: z.string() })) });
const servedTiers = z.object({
  tiers: z.array(z.object({ prices: z.array(z.object({ id: z.string() })) })),
});
const openedSession = z.object({ sessionId: z.string() });
const session = z.object({ fields: z.array(z.object({ id: z.string(), isRequired: z.boolean() })) });
const withId = z.object({ id: z.string() });
const stats = z.object({ totals: z.object({ impressions: z.number() }) });

/** Sells ads of the demo workspace until `count` are served, through the public interfaces; returns all their ids. */
export async function haveAds(placard: Placard, count: number): Promise<string[]> {
  const missing = count - (await adsServed(placard)).length;
  for (let nth = 0; nth < missing; nth += 1) await sellAd(placard, nth);
  return until(async () => {
    const ids = await adsServed(placard);
    return ids.length >= count ? ids : undefined;
  }, `${count} ads are not served`);
}

/** Sells one ad to an advertiser at an address of its own, for checkouts are limited by address, and approves it. */
async function sellAd(placard: Placard, nth: number): Promise<void> {
  const { workspaceId, key } = placard;
  const buyer = { "x-forwarded-for": addressOf(nth) };
  const workspace = `/v1/workspaces/${workspaceId}`;
  const { tiers } = await call(placard, "GET", `${workspace}/tiers/serving`, servedTiers);
  const tierPriceId = tiers[0]?.prices[0]?.id;
  const { sessionId } = await call(placard, "POST", `${workspace}/checkout-sessions`, openedSession, {
    headers: buyer,
    body: { tierPriceId },
  });
  await call(placard, "POST", `/sandbox/checkout/${sessionId}/complete`, z.unknown(), {
    headers: buyer,
    body: { email: `load-${nth}@example.com`, name: "Load test" },
  });
  const { fields } = await call(placard, "GET", `/v1/checkout-sessions/${sessionId}`, session, {
    headers: buyer,
  });
  const { id } = await call(placard, "POST", `/v1/checkout-sessions/${sessionId}/ad`, withId, {
    headers: buyer,
    body: {
      name: `Load test ${nth + 1}`,
      websiteUrl: "https://load.example",
      meta: fields
        .filter(({ isRequired }) => isRequired)
        .map(({ id: fieldId }) => ({ fieldId, value: "Load" })),
    },
  });
  await call(placard, "POST", `${workspace}/ads/${id}/approve`, withId, { headers: bearer(key) });
}

async function adsServed(placard: Placard): Promise<string[]> {
  const path = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=${MOST_ADS}`;
  const { ads } = await call(placard, "GET", path, servedAds);
  return ads.map(({ id }) => id);
}

/** Reads a month of an ad's stats; false when that is refused. */
export async function readStats({ origin, workspaceId, key }: Placard, adId: string): Promise<boolean> {
  const path = `/v1/workspaces/${workspaceId}/ads/${adId}/stats?days=30`;
  const response = await fetch(`${origin}${path}`, { headers: bearer(key) });
  await response.text();
  return response.ok;
}

/** The demo as a place where events are counted. */
export function countedDemo({ placard, adIds }: DemoBench): Counted {
  const { origin } = placard;
  return {
    origin,
    ingestionOrigin: origin,
    adIds,
    impressionsInStats: () => impressionsInStats(placard, adIds),
  };
}

/** Impressions that count, as the publisher reads them in the stats of today and yesterday, over all `adIds`. */
async function impressionsInStats(placard: Placard, adIds: readonly string[]): Promise<number> {
  const { workspaceId, key } = placard;
  const each = adIds.map(async (adId) => {
    const path = `/v1/workspaces/${workspaceId}/ads/${adId}/stats?days=2`;
    return (await call(placard, "GET", path, stats, { headers: bearer(key) })).totals.impressions;
  });
  return (await Promise.all(each)).reduce((sum, impressions) => sum + impressions, 0);
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** Calls again once its key may: several scenarios in a row share the key's limit of a minute. */
async function call<T>(
  { origin }: Placard,
  method: "GET" | "POST",
  path: string,
  answer: z.ZodType<T>,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
): Promise<T> {
  const ask = () =>
    fetch(`${origin}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let response = await ask();
  if (response.status === 429) {
    await response.text();
    await wait(Math.min(Number(response.headers.get("retry-after") ?? 1), MOST_WAITED_S) * 1_000);
    response = await ask();
  }
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return answer.parse(text === "" ? undefined : JSON.parse(text));
}
