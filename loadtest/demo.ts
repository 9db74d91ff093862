import { z } from "zod";
import type { Placard } from "./placard.ts";

const servedAds = z.object({ ads: z.array(z.object({ id: z.string() })) });
const servedTiers = z.object({
  tiers: z.array(z.object({ prices: z.array(z.object({ id: z.string() })) })),
});
const openedSession = z.object({ sessionId: z.string() });
const session = z.object({ fields: z.array(z.object({ id: z.string(), isRequired: z.boolean() })) });
const withId = z.object({ id: z.string() });
const stats = z.object({ totals: z.object({ impressions: z.number() }) });

const MOST_ADS = 50;
const WAITS_AT_MOST_MS = 20_000;

/** Sells ads of the demo workspace until `count` are served, through the public interfaces; returns all their ids. */
export async function haveAds(placard: Placard, count: number): Promise<string[]> {
  const { workspaceId, key } = placard;
  const missing = count - (await adsServed(placard)).length;
  for (let nth = 0; nth < missing; nth += 1) {
    const { tiers } = await call(placard, "GET", `/v1/workspaces/${workspaceId}/tiers/serving`, servedTiers);
    const tierPriceId = tiers[0]?.prices[0]?.id;
    const { sessionId } = await call(
      placard,
      "POST",
      `/v1/workspaces/${workspaceId}/checkout-sessions`,
      openedSession,
      { tierPriceId },
    );
    const payer = { email: `load-${nth}@example.com`, name: "Load test" };
    await call(placard, "POST", `/sandbox/checkout/${sessionId}/complete`, z.unknown(), payer);
    const { fields } = await call(placard, "GET", `/v1/checkout-sessions/${sessionId}`, session);
    const { id } = await call(placard, "POST", `/v1/checkout-sessions/${sessionId}/ad`, withId, {
      name: `Load test ${nth + 1}`,
      websiteUrl: "https://load.example",
      meta: fields
        .filter(({ isRequired }) => isRequired)
        .map(({ id: fieldId }) => ({ fieldId, value: "Load" })),
    });
    await call(placard, "POST", `/v1/workspaces/${workspaceId}/ads/${id}/approve`, withId, undefined, key);
  }
  return until(async () => {
    const ids = await adsServed(placard);
    return ids.length >= count ? ids : undefined;
  }, `${count} ads are not served`);
}

async function adsServed(placard: Placard): Promise<string[]> {
  const path = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=${MOST_ADS}`;
  const { ads } = await call(placard, "GET", path, servedAds);
  return ads.map(({ id }) => id);
}

/** Impressions that count, as the publisher reads them in the stats of today and yesterday, over all `adIds`. */
export async function impressionsInStats(placard: Placard, adIds: readonly string[]): Promise<number> {
  const { workspaceId, key } = placard;
  const each = adIds.map(async (adId) => {
    const path = `/v1/workspaces/${workspaceId}/ads/${adId}/stats?days=2`;
    return (await call(placard, "GET", path, stats, undefined, key)).totals.impressions;
  });
  return (await Promise.all(each)).reduce((sum, impressions) => sum + impressions, 0);
}

/** Asks until there is an answer. Throws with `complaint` after 20 seconds. */
export async function until<T>(ask: () => Promise<T | undefined>, complaint: string): Promise<T> {
  const deadline = performance.now() + WAITS_AT_MOST_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(complaint);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function call<T>(
  { origin }: Placard,
  method: "GET" | "POST",
  path: string,
  answer: z.ZodType<T>,
  body?: unknown,
  key?: string,
): Promise<T> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return answer.parse(text === "" ? undefined : JSON.parse(text));
}
