import { join } from "node:path";
import type { Bench, DemoBench } from "../bench/bench.ts";
import { haveAds } from "../bench/demo.ts";
import type { Client } from "../clients/client.ts";
import { createTestEngines } from "../engines/test-engines.ts";
import type { Options, ScenarioName } from "../measure/options.ts";
import { releasing } from "../processes/releases.ts";
import type { ScenarioResult } from "../report/result.ts";
import { show } from "../report/show.ts";
import { batches } from "./batches.ts";
import { cost } from "./cost.ts";
import { delay } from "./delay.ts";
import { growth } from "./growth.ts";
import { ingestion } from "./ingestion.ts";
import { management } from "./management.ts";
import { mixed } from "./mixed.ts";
import { mixedKafka } from "./mixed-kafka.ts";
import { pages } from "./pages.ts";
import { scaling } from "./scaling.ts";
import { serving } from "./serving.ts";
import { start, timedStart } from "./start.ts";
import { stats } from "./stats.ts";
import { tracking } from "./tracking.ts";
import { trackingKafka } from "./tracking-kafka.ts";
import { variety } from "./variety.ts";

const ON_THE_DEMO: Partial<Record<ScenarioName, (bench: DemoBench) => Promise<ScenarioResult>>> = {
  serving,
  tracking,
  pages,
  batches,
  delay,
  mixed,
};
const ON_THE_ESTATE: Partial<Record<ScenarioName, (bench: Bench) => Promise<ScenarioResult>>> = {
  variety,
  growth,
  management,
  stats,
  ingestion,
  "tracking-kafka": trackingKafka,
  "mixed-kafka": mixedKafka,
  scaling,
  cost,
};
/** As many ads as the largest loads on the demo ask for. */
const ADS = 50;
const QUICK_ADS = 8;

/** Called with each result as soon as it is available. */
export type Keep = (result: ScenarioResult) => Promise<void>;

/** Runs the scenarios one after the other, each next to its baselines. One that fails is reported and the others go on. */
export async function runScenarios(
  options: Options,
  client: Client,
  folder: string,
  keep: Keep,
): Promise<void> {
  await runOnDemo(options, client, folder, keep);
  await releasing(async (later) => {
    const bench: Bench = { options, client, folder, testEngines: createTestEngines(folder, later) };
    await inTurn(options.scenarios, ON_THE_ESTATE, bench, keep);
  });
}

async function runOnDemo(options: Options, client: Client, folder: string, keep: Keep): Promise<void> {
  const needed = options.scenarios.filter((name) => name in ON_THE_DEMO || name === "start");
  if (needed.length === 0) return;
  const dataDir = join(folder, "demo");
  try {
    const first = await timedStart({ dataDir, seed: "demo", profileDir: options.profileDir });
    await releasing(async (later) => {
      later(() => first.placard.stop());
      const isLoaded = needed.some((name) => name !== "start");
      const adIds = isLoaded ? await haveAds(first.placard, options.quick ? QUICK_ADS : ADS) : [];
      // None of these scenarios asks for an engine of its own.
      const testEngines = createTestEngines(folder, later);
      const bench: DemoBench = { options, client, folder, testEngines, placard: first.placard, adIds };
      await inTurn(needed, ON_THE_DEMO, bench, keep);
    });
    if (needed.includes("start")) await keep(await guarded("start", () => start(dataDir, first.seconds)));
  } catch (error) {
    await keep(failure("demo", error));
  }
}

async function inTurn<B>(
  names: readonly ScenarioName[],
  scenarios: Partial<Record<ScenarioName, (bench: B) => Promise<ScenarioResult>>>,
  bench: B,
  keep: Keep,
): Promise<void> {
  for (const name of names) {
    const scenario = scenarios[name];
    if (scenario !== undefined) await keep(await guarded(name, () => scenario(bench)));
  }
}

async function guarded(name: string, run: () => Promise<ScenarioResult>): Promise<ScenarioResult> {
  try {
    return show(await run());
  } catch (error) {
    return failure(name, error);
  }
}

function failure(scenario: string, error: unknown): ScenarioResult {
  const complaint = `${scenario}: ${error instanceof Error ? error.message : String(error)}`;
  const details = error instanceof Error ? error.stack : undefined;
  return show({ scenario, rows: [], headline: {}, details, complaints: [complaint] });
}
