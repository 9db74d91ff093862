import { startBareLike } from "../baselines/bare-like.ts";
import { type Comparison, compare } from "../baselines/rounds.ts";
import type { DemoBench } from "../bench/bench.ts";
import type { Load } from "../clients/load.ts";
import { median, type Spread, significant } from "../measure/statistics.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";

/** A quick run has no time for the last one. */
const COUNTS = [1, 8, 50];
const QUICK_COUNTS = [1, 8];
const CONNECTIONS = 64;
/** Ads in rotation, answers ready in memory, against a bare route that returns the same bytes with the same headers. */
export async function serving(bench: DemoBench): Promise<ScenarioResult> {
  const comparisons: { count: number; comparison: Comparison }[] = [];
  const counts = bench.options.quick ? QUICK_COUNTS : COUNTS;
  for (const count of counts) comparisons.push({ count, comparison: await compareCount(bench, count) });

  const failed = comparisons.reduce((sum, { comparison }) => sum + comparison.failed, 0);
  const typical = (of: (comparison: Comparison) => Spread) =>
    significant(median(comparisons.map(({ comparison }) => of(comparison).median)), 3);
  return {
    scenario: "serving",
    rows: comparisons.flatMap(({ count, comparison }) => rowsOf(nameOf(count), comparison)),
    headline: {
      serving: { ratio: typical(({ ratio }) => ratio), cpuRatio: typical(({ cpuRatio }) => cpuRatio) },
    },
    charts: chartsOf(comparisons.flatMap(({ count, comparison }) => sidesOf(nameOf(count), comparison))),
    details: comparisons,
    complaints: failed > 0 ? [`${failed} requests for ads failed.`] : [],
  };
}

function nameOf(count: number): string {
  return count === 1 ? "1 ad" : `${count} ads`;
}

async function compareCount({ options, client, placard }: DemoBench, count: number): Promise<Comparison> {
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const path = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=${count}`;
  const bare = await startBareLike(placard, path, profileDir);
  const loadOf = (origin: string): Load => ({ origin, method: "GET", paths: [path], duration, connections });
  try {
    return await compare(client, rounds, {
      baseline: { server: bare, load: loadOf(bare.origin) },
      subject: { server: placard, load: loadOf(placard.origin) },
    });
  } finally {
    await bare.stop();
  }
}
