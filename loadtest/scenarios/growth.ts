import type { Bench } from "../bench/bench.ts";
import { growAds, growTracking, growWorkspaces, type Step, withServing } from "../bench/growth-steps.ts";
import { SEEDS } from "../engines/test-engines.ts";
import { significant } from "../measure/statistics.ts";
import type { Chart } from "../report/charts.ts";
import type { Row, ScenarioResult } from "../report/result.ts";

const ADS = [SEEDS.ads10, SEEDS.ads100, SEEDS.ads1000, SEEDS.ads10000];
const WORKSPACES = [10, 100, 1_000, 10_000, 100_000];
const TRACKED = [10, 1_000, 100_000, 1_000_000];

/** Time and memory as workspaces get more ads, installations more workspaces, and tracking more ads. */
export async function growth(bench: Bench): Promise<ScenarioResult> {
  const { testEngines } = bench;
  await testEngines.seed("ads10", "ads100", "ads1000", "ads10000", "many", "rest");
  const engines = await testEngines.all();

  const hot: Step[] = [];
  const cold: Step[] = [];
  const bare: Step[] = [];
  for (const { first, adsEach } of ADS) {
    await withServing(bench, engines, async (server) => {
      const step = await growAds(bench, server, first, adsEach);
      hot.push(step.hot);
      cold.push(step.cold);
      bare.push(step.bare);
    });
  }
  const workspaces: Step[] = [];
  for (const count of WORKSPACES) {
    await withServing(bench, engines, async (server) => {
      workspaces.push(await growWorkspaces(bench, server, count));
    });
  }
  const tracked: Step[] = [];
  for (const count of TRACKED) {
    await withServing(bench, engines, async (server) => {
      tracked.push(await growTracking(bench, server, count));
    });
  }

  const all = {
    "ads, answer ready": hot,
    "ads, no answer ready": cold,
    "ads, bare": bare,
    workspaces,
    "ads tracked": tracked,
  };
  const failed = Object.values(all)
    .flat()
    .reduce((sum, step) => sum + step.failed, 0);
  const times = (steps: readonly Step[]) =>
    significant(
      (steps.at(-1)?.microsPerRequest ?? Number.NaN) / (steps[0]?.microsPerRequest ?? Number.NaN),
      3,
    );
  return {
    scenario: "growth",
    rows: Object.entries(all).flatMap(([name, steps]) => steps.map((step) => rowOf(name, step))),
    headline: {
      growth: {
        hotTimeFrom10To10000Ads: times(hot),
        coldTimeFrom10To10000Ads: times(cold),
        timeFrom10To100000Workspaces: times(workspaces),
        trackingTimeFrom10To1000000Ads: times(tracked),
      },
    },
    charts: [
      chartOf("Serving: CPU a request over ads in the workspace", "µs", "ads", { hot, cold, bare }, micros),
      chartOf("Serving: CPU a request over workspaces", "µs", "workspaces", { workspaces }, micros),
      chartOf("Serving: memory over workspaces", "MB", "workspaces", { workspaces }, megabytes),
      chartOf("Tracking: CPU an impression over ads", "µs", "ads", { tracked }, micros),
      chartOf("Tracking: memory over ads", "MB", "ads", { tracked }, megabytes),
    ],
    details: all,
    complaints: failed > 0 ? [`${failed} requests failed.`] : [],
  };
}

function rowOf(name: string, step: Step): Row {
  return {
    growth: name,
    size: step.size,
    "CPU us/req": significant(step.microsPerRequest, 3),
    "req/s": Math.round(step.perSecond),
    "resident MB": Math.round(megabytes(step)),
  };
}

function micros({ microsPerRequest }: Step): number {
  return microsPerRequest;
}

function megabytes({ residentBytes }: Step): number {
  return residentBytes / 1e6;
}

function chartOf(
  title: string,
  unit: string,
  along: string,
  lines: Readonly<Record<string, readonly Step[]>>,
  of: (step: Step) => number,
): Chart {
  return {
    kind: "lines",
    title,
    unit,
    along,
    logarithmic: true,
    lines: Object.entries(lines).map(([label, steps]) => ({
      label,
      points: steps.map((step) => [step.size, of(step)] as const),
    })),
  };
}
