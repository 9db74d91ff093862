import type { DemoBench } from "../bench/bench.ts";
import { readStats } from "../bench/demo.ts";
import type { Client } from "../clients/client.ts";
import { type MixedTarget, runMixedAt, runMixedAtMost } from "../clients/mixed-load.ts";
import { percentile, significant } from "../measure/statistics.ts";
import { readStatsFor } from "../measure/stats-reader.ts";
import type { Server } from "../processes/server.ts";
import type { ScenarioResult } from "../report/result.ts";

const SHARE_OF_MOST = 0.5;
const AT_LEAST_S = 3;
const WARM_UP_S = 2;

/** Ads served, impressions and clicks at half of what the installation can do, while events are ingested and stats read. */
export function mixed({ options, client, placard, adIds }: DemoBench): Promise<ScenarioResult> {
  const target = {
    origin: placard.origin,
    servingPath: `/v1/workspaces/${placard.workspaceId}/ads/serving?count=8`,
    adIds,
  };
  return mixedOn("mixed", client, placard, target, options.duration, (nth) =>
    readStats(placard, adIds[nth % adIds.length] ?? ""),
  );
}

/** Finds the most that `server` takes of the mix, and takes the latencies at half of it. */
export async function mixedOn(
  scenario: string,
  client: Client,
  server: Server,
  target: MixedTarget,
  seconds: number,
  askStats: (nth: number) => Promise<boolean>,
): Promise<ScenarioResult> {
  const duration = Math.max(AT_LEAST_S, seconds);
  await runMixedAtMost(client, target, duration / 2);
  const most = await runMixedAtMost(client, target, duration);
  const rate = most.perSecond * SHARE_OF_MOST;
  // Programs that are compiled while they are timed would be what is measured.
  await runMixedAt(client, target, rate, WARM_UP_S);
  await server.usage();
  const [half, stats] = await Promise.all([
    runMixedAt(client, target, rate, duration),
    readStatsFor(duration, askStats),
  ]);
  const usage = await server.usage();

  const loads = Object.entries(half);
  const failed = [most, ...Object.values(half)].reduce((sum, load) => sum + load.failed, 0);
  const ms = (value: number) => significant(value, 3);
  return {
    scenario,
    rows: [
      {
        load: "all at once, as fast as it goes",
        "req/s": Math.round(most.perSecond),
        "p50 ms": ms(most.p50),
        "p90 ms": ms(most.p90),
        "p99 ms": ms(most.p99),
        "p99.9 ms": ms(most.p999),
      },
      ...loads.map(([kind, load]) => ({
        load: `${kind}, at half of that`,
        "req/s": Math.round(load.perSecond),
        "p50 ms": ms(load.p50),
        "p90 ms": ms(load.p90),
        "p99 ms": ms(load.p99),
        "p99.9 ms": ms(load.p999),
        "sent late, p99 ms": ms(load.lateP99 ?? Number.NaN),
      })),
      {
        load: "stats, once a second",
        "p50 ms": ms(percentile(stats.times, 0.5)),
        "p99 ms": ms(percentile(stats.times, 0.99)),
      },
      { load: "event loop", "p50 ms": ms(usage.delayP50Ms), "p99 ms": ms(usage.delayP99Ms) },
    ],
    headline: {
      [scenario]: {
        most: Math.round(most.perSecond),
        trackingP99Ms: ms(half.impressions.p99),
        servingP99Ms: ms(half.serving.p99),
      },
    },
    charts: [
      {
        kind: "bars",
        title: "Latency at half of the most",
        unit: "ms",
        bars: loads.flatMap(([kind, { p50, p90, p99, p999 }]) => [
          { label: `${kind}, p50`, value: p50 },
          { label: `${kind}, p90`, value: p90 },
          { label: `${kind}, p99`, value: p99 },
          { label: `${kind}, p99.9`, value: p999 },
        ]),
      },
    ],
    details: { most, half, stats, usage },
    complaints: [
      ...(failed > 0 ? [`${failed} requests of the mix failed.`] : []),
      ...(stats.failed > 0 ? [`${stats.failed} times stats could not be read.`] : []),
    ],
  };
}
