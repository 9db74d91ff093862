import { type BareOn, bareOf } from "../baselines/bare.ts";
import { startBareLike } from "../baselines/bare-like.ts";
import { type Comparison, compareAll, ratioOf, type Side } from "../baselines/rounds.ts";
import type { DemoBench } from "../bench/bench.ts";
import type { Load } from "../clients/load.ts";
import { median, significant } from "../measure/statistics.ts";
import { releasing } from "../processes/releases.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";

/** A quick run has no time for the last one. */
const COUNTS = [1, 8, 50];
const QUICK_COUNTS = [1, 8];
const CONNECTIONS = 128;

interface Counted {
  readonly name: string;
  readonly on: BareOn;
  readonly comparison: Comparison;
}

/** Ads in rotation, answers ready in memory, against bare servers that return the same bytes with the same headers. */
export async function serving(bench: DemoBench): Promise<ScenarioResult> {
  const comparisons: Counted[] = [];
  const counts = bench.options.quick ? QUICK_COUNTS : COUNTS;
  for (const count of counts) comparisons.push(...(await compareCount(bench, count)));

  const failed = comparisons.reduce((sum, { comparison }) => sum + comparison.failed, 0);
  const typical = (on: BareOn, of: (comparison: Comparison) => number) =>
    significant(
      median(comparisons.filter((one) => one.on === on).map(({ comparison }) => of(comparison))),
      3,
    );
  return {
    scenario: "serving",
    rows: comparisons.flatMap(({ name, on, comparison }) => rowsOf(name, comparison, on)),
    headline: {
      serving: {
        ratio: typical("Fastify", ratioOf),
        cpuRatio: typical("Fastify", ({ cpuRatio }) => cpuRatio.median),
        ...(bench.options.quick ? {} : { ofNode: typical("node:http", ratioOf) }),
      },
    },
    charts: chartsOf(comparisons.flatMap(({ name, on, comparison }) => sidesOf(name, comparison, on))),
    details: comparisons,
    complaints: failed > 0 ? [`${failed} requests for ads failed.`] : [],
  };
}

function compareCount({ options, client, placard }: DemoBench, count: number): Promise<Counted[]> {
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const path = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=${count}`;
  const loadOf = (origin: string): Load => ({ origin, method: "GET", paths: [path], duration, connections });
  return releasing(async (later) => {
    const baselines: Side[] = [];
    for (const on of bareOf(options)) {
      const server = await startBareLike(placard, path, profileDir, {}, on);
      later(() => server.stop());
      baselines.push({ server, load: loadOf(server.origin) });
    }
    const compared = await compareAll(client, rounds, {
      baselines,
      subject: { server: placard, load: loadOf(placard.origin) },
    });
    const name = count === 1 ? "1 ad" : `${count} ads`;
    return bareOf(options).flatMap((on, nth) =>
      compared.slice(nth, nth + 1).map((comparison) => ({ name, on, comparison })),
    );
  });
}
