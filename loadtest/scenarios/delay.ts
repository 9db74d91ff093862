import type { DemoBench } from "../bench/bench.ts";
import { readStats } from "../bench/demo.ts";
import { BROWSER } from "../clients/browser.ts";
import { significant } from "../measure/statistics.ts";
import { readStatsFor } from "../measure/stats-reader.ts";
import type { ScenarioResult } from "../report/result.ts";

const SERVING_PER_SECOND = 2_000;
const IMPRESSIONS_PER_SECOND = 1_000;
const AT_LEAST_S = 3;

/** How late serving's event loop is while ads are served, events ingested and stats read, all at once. */
export async function delay({ options, client, placard, adIds }: DemoBench): Promise<ScenarioResult> {
  const { origin, workspaceId } = placard;
  const duration = Math.max(AT_LEAST_S, options.duration);
  await placard.usage();
  const [ads, impressions, stats] = await Promise.all([
    client.run({
      origin,
      method: "GET",
      paths: [`/v1/workspaces/${workspaceId}/ads/serving?count=8`],
      connections: 100,
      rate: SERVING_PER_SECOND,
      duration,
    }),
    client.run({
      origin,
      method: "POST",
      paths: adIds.map((adId) => `/v1/ads/${adId}/impressions`),
      headers: { "user-agent": BROWSER },
      visitorsPerConnection: 100,
      connections: 100,
      rate: IMPRESSIONS_PER_SECOND,
      duration,
    }),
    readStatsFor(duration, (nth) => readStats(placard, adIds[nth % adIds.length] ?? "")),
  ]);
  const { delayP50Ms, delayP99Ms, delayMaxMs, residentBytes } = await placard.usage();

  const failed = ads.failed + impressions.failed + stats.failed;
  const milliseconds = (value: number) => significant(value, 3);
  const eventLoop = {
    p50Ms: milliseconds(delayP50Ms),
    p99Ms: milliseconds(delayP99Ms),
    maxMs: milliseconds(delayMaxMs),
  };
  return {
    scenario: "delay",
    rows: [
      {
        "event loop p50 ms": eventLoop.p50Ms,
        "p99 ms": eventLoop.p99Ms,
        "max ms": eventLoop.maxMs,
        "ads/s": Math.round(ads.perSecond),
        "ads p99 ms": milliseconds(ads.p99),
        "impressions/s": Math.round(impressions.perSecond),
        "impressions p99 ms": milliseconds(impressions.p99),
        "stats read": stats.times.length,
        "slowest stats ms": milliseconds(Math.max(...stats.times)),
        "resident MB": Math.round(residentBytes / 1e6),
      },
    ],
    headline: { eventLoop },
    details: { eventLoop, ads, impressions, stats, residentBytes },
    complaints: failed > 0 ? [`${failed} requests failed while everything ran at once.`] : [],
  };
}
