import { join } from "node:path";
import { haveAds } from "../bench/demo.ts";
import type { Client } from "../clients/client.ts";
import { runMixedAt } from "../clients/mixed-load.ts";
import { judgeMemory } from "../measure/memory-growth.ts";
import type { Options } from "../measure/options.ts";
import { significant } from "../measure/statistics.ts";
import { type Placard, startPlacard } from "../processes/placard.ts";
import { releasing } from "../processes/releases.ts";
import type { ScenarioResult } from "../report/result.ts";
import { say } from "../report/show.ts";

const ADS = 8;
/** Far below what an installation takes, so that it is the load that is constant. */
const REQUESTS_PER_SECOND = 1_000;
const LONGEST_SLICE_S = 10;
/** Samples of even a short run, enough to be judged. */
const SLICES = 8;
/** A run of days keeps no more of them. */
const MOST_SAMPLES = 100_000;

interface Sample {
  readonly seconds: number;
  readonly residentBytes: number;
  /** With Postgres and ClickHouse; NaN where the system does not tell. */
  readonly treeBytes: number;
  readonly delayP99Ms: number;
}

/** Runs mixed load for `minutes`, samples memory between its slices and judges whether the server's memory has grown. */
export async function soak(
  options: Options,
  minutes: number,
  client: Client,
  folder: string,
): Promise<ScenarioResult> {
  return releasing(async (later) => {
    const { profileDir } = options;
    const placard = await startPlacard({ dataDir: join(folder, "soak"), seed: "demo", profileDir });
    later(() => placard.stop());
    const adIds = await haveAds(placard, ADS);
    const servingPath = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=8`;
    const target = { origin: placard.origin, servingPath, adIds };

    const slice = Math.min(LONGEST_SLICE_S, (minutes * 60) / SLICES);
    const started = performance.now();
    const secondsSince = () => (performance.now() - started) / 1000;
    const samples: Sample[] = [];
    let failed = 0;
    while (secondsSince() < minutes * 60 && samples.length < MOST_SAMPLES) {
      const { serving, impressions, clicks } = await runMixedAt(client, target, REQUESTS_PER_SECOND, slice);
      failed += serving.failed + impressions.failed + clicks.failed;
      samples.push(await sampleOf(placard, secondsSince()));
      if (samples.length % 6 === 0) say(JSON.stringify(samples.at(-1)));
    }
    return judged(samples, failed);
  });
}

async function sampleOf(placard: Placard, seconds: number): Promise<Sample> {
  const { residentBytes, delayP99Ms } = await placard.usage();
  return { seconds, residentBytes, treeBytes: placard.treeUsage()?.residentBytes ?? Number.NaN, delayP99Ms };
}

function judged(samples: readonly Sample[], failed: number): ScenarioResult {
  const growth = judgeMemory(samples);
  const megabytes = (bytes: number) => significant(bytes / 1e6, 4);
  const line = (label: string, of: (sample: Sample) => number) => ({
    label,
    points: samples.map((sample) => [sample.seconds / 60, of(sample)] as const),
  });
  const perHour = megabytes(growth?.bytesPerHour ?? Number.NaN);
  return {
    scenario: "soak",
    rows: [
      {
        samples: samples.length,
        minutes: significant((samples.at(-1)?.seconds ?? 0) / 60, 3),
        "median MB": megabytes(growth?.medianBytes ?? Number.NaN),
        "MB an hour": perHour,
        "growth judged": growth === undefined ? "too short" : `${significant(growth.share * 100, 2)} %`,
        failed,
      },
    ],
    headline: { soak: { megabytesPerHour: perHour, failed } },
    charts: [
      {
        kind: "lines",
        title: "Memory under constant load",
        unit: "MB",
        along: "minutes",
        logarithmic: false,
        lines: [
          line("server process", ({ residentBytes }) => residentBytes / 1e6),
          line("with its engines", ({ treeBytes }) => treeBytes / 1e6),
        ],
      },
    ],
    details: { samples, growth },
    complaints: [
      ...(failed > 0 ? [`${failed} requests failed.`] : []),
      ...(growth?.hasGrown ? [`The server's memory grows by ${perHour} MB an hour.`] : []),
    ],
  };
}
