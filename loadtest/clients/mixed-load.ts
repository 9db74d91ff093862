import { BROWSER } from "./browser.ts";
import type { Client } from "./client.ts";
import type { LoadResult } from "./load.ts";

/** Where ads are asked for and tracked. */
export interface MixedTarget {
  readonly origin: string;
  readonly servingPath: string;
  readonly adIds: readonly string[];
}

/** What a page with ads makes: of twenty requests ten for ads, nine impressions and a click. */
const SHARES = { serving: 10, impressions: 9, clicks: 1 };
const ALL = SHARES.serving + SHARES.impressions + SHARES.clicks;
/** So that most events are a visitor's first. */
const VISITORS_PER_SECOND = 20;
const CONNECTIONS = 100;

/** The mix as fast as answers come; its latencies are not separated by kind. */
export function runMixedAtMost(
  client: Client,
  { origin, servingPath, adIds }: MixedTarget,
  duration: number,
): Promise<LoadResult> {
  const mix = adIds.flatMap((adId) => [
    ...Array.from({ length: SHARES.impressions }, () => [
      { method: "GET" as const, path: servingPath },
      { method: "POST" as const, path: `/v1/ads/${adId}/impressions` },
    ]).flat(),
    { method: "GET" as const, path: servingPath },
    { method: "POST" as const, path: `/v1/ads/${adId}/clicks` },
  ]);
  return client.run({
    origin,
    method: "GET",
    paths: [servingPath],
    mix,
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: Math.max(ALL, Math.ceil(duration * VISITORS_PER_SECOND)),
    connections: CONNECTIONS,
    duration,
  });
}

/** What became of each kind. */
export type MixedResult = Readonly<Record<keyof typeof SHARES, LoadResult>>;

/** The mix at `rate` requests per second over all kinds, with latencies per kind. */
export async function runMixedAt(
  client: Client,
  { origin, servingPath, adIds }: MixedTarget,
  rate: number,
  duration: number,
): Promise<MixedResult> {
  const run = (kind: keyof typeof SHARES, method: "GET" | "POST", paths: string[]) =>
    client.run({
      origin,
      method,
      paths,
      headers: { "user-agent": BROWSER },
      visitorsPerConnection: Math.ceil(duration * VISITORS_PER_SECOND),
      connections: CONNECTIONS,
      rate: (rate * SHARES[kind]) / ALL,
      duration,
    });
  const [serving, impressions, clicks] = await Promise.all([
    run("serving", "GET", [servingPath]),
    run(
      "impressions",
      "POST",
      adIds.map((adId) => `/v1/ads/${adId}/impressions`),
    ),
    run(
      "clicks",
      "POST",
      adIds.map((adId) => `/v1/ads/${adId}/clicks`),
    ),
  ]);
  return { serving, impressions, clicks };
}
