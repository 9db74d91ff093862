import { availableParallelism } from "node:os";
import type { Bench } from "../bench/bench.ts";
import { BROWSER } from "../clients/browser.ts";
import type { Load } from "../clients/load.ts";
import { startService } from "../engines/services.ts";
import { SEEDS } from "../engines/test-engines.ts";
import { median, significant } from "../measure/statistics.ts";
import type { Server } from "../processes/server.ts";
import type { ScenarioResult } from "../report/result.ts";
import { seedId } from "../seeds/seed-ids.ts";

const CONNECTIONS = 200;
const ROUNDS_AT_MOST = 3;
const VISITORS_PER_SECOND = 50;
const PROCESSES = [1, 2] as const;
/** Below these the client, and for tracking the engines, take time from the second process. */
const CORES_FOR_ITSELF = 4;

interface Measured {
  readonly perSecond: number;
  /** The CPU of all processes of serving together. */
  readonly cpuMicrosPerRequest: number;
  readonly failed: number;
}

/**
 * One process of serving against two on one port, free to use every core. Where the client shares the cores, requests a
 * second say little; use `capacity` then: requests that two fully used cores would answer, over those of one, by
 * what a request costs in CPU with one process and with two.
 */
export async function scaling(bench: Bench): Promise<ScenarioResult> {
  await bench.testEngines.seed("main");
  const engines = await bench.testEngines.all();
  const { folder, options } = bench;
  const { profileDir } = options;
  const results: Record<"ads" | "impressions", Measured[]> = { ads: [], impressions: [] };
  for (const count of PROCESSES) {
    const environment = { SERVING_PROCESSES: String(count) };
    const server = await startService("serving", engines, {
      folder,
      topic: "scaling",
      environment,
      profileDir,
      role: "engine",
    });
    try {
      for (const [kind, measured] of Object.entries(results)) {
        measured.push(await measureProcesses(bench, server, loadsOf(bench, server)[kind === "ads" ? 0 : 1]));
      }
    } finally {
      await server.stop();
    }
  }
  const failed = Object.values(results)
    .flat()
    .reduce((sum, measured) => sum + measured.failed, 0);
  const compared = Object.entries(results).map(([kind, [one, two]]) => ({
    kind,
    throughput: significant((two?.perSecond ?? Number.NaN) / (one?.perSecond ?? Number.NaN), 3),
    capacity: significant(
      (2 * (one?.cpuMicrosPerRequest ?? Number.NaN)) / (two?.cpuMicrosPerRequest ?? Number.NaN),
      3,
    ),
  }));
  return {
    scenario: "scaling",
    rows: Object.entries(results).flatMap(([kind, measured]) =>
      measured.map((each, nth) => ({
        load: `${kind}, ${PROCESSES[nth]} process${nth === 0 ? "" : "es"}`,
        "req/s": Math.round(each.perSecond),
        "CPU us/req": significant(each.cpuMicrosPerRequest, 3),
        ...(nth === 0
          ? {}
          : { throughput: compared.find((one) => one.kind === kind)?.throughput ?? Number.NaN }),
        ...(nth === 0 ? {} : { capacity: compared.find((one) => one.kind === kind)?.capacity ?? Number.NaN }),
      })),
    ),
    headline: {
      scaling: {
        ...Object.fromEntries(compared.map(({ kind, throughput }) => [`${kind}Throughput`, throughput])),
        ...Object.fromEntries(compared.map(({ kind, capacity }) => [`${kind}Capacity`, capacity])),
        coresAreEnough: availableParallelism() >= CORES_FOR_ITSELF ? 1 : 0,
      },
    },
    charts: [
      {
        kind: "bars",
        title: "Throughput of one and two processes",
        unit: "requests/s",
        bars: Object.entries(results).flatMap(([kind, measured]) =>
          measured.map(({ perSecond }, nth) => ({
            label: `${kind}: Placard, ${PROCESSES[nth]}`,
            value: perSecond,
          })),
        ),
      },
    ],
    details: { results, compared },
    complaints: failed > 0 ? [`${failed} requests failed.`] : [],
  };
}

function loadsOf({ options }: Bench, { origin }: Server): [Load, Load] {
  const { duration, connections = CONNECTIONS } = options;
  const { first, adsEach, firstAd } = SEEDS.main;
  const both = { origin, duration, connections };
  return [
    { ...both, method: "GET", paths: [`/v1/workspaces/${seedId("ws", first)}/ads/serving?count=8`] },
    {
      ...both,
      method: "POST",
      paths: ["/v1/ads/ad_#/impressions"],
      numbered: { first: firstAd, count: adsEach },
      headers: { "user-agent": BROWSER },
      visitorsPerConnection: Math.ceil(duration * VISITORS_PER_SECOND),
    },
  ];
}

async function measureProcesses({ client, options }: Bench, server: Server, load: Load): Promise<Measured> {
  const rounds: Measured[] = [];
  const warmUp = await client.race({ ...load, duration: Math.max(1, options.duration / 2) });
  for (let round = 0; round < Math.min(ROUNDS_AT_MOST, options.rounds); round += 1) {
    const before = server.treeUsage()?.cpuMicros ?? Number.NaN;
    const { perSecond, answered, failed } = await client.race(load);
    const cpuMicros = (server.treeUsage()?.cpuMicros ?? Number.NaN) - before;
    rounds.push({ perSecond, cpuMicrosPerRequest: cpuMicros / answered, failed });
  }
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMicrosPerRequest: median(rounds.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)),
    failed: rounds.reduce((sum, { failed }) => sum + failed, warmUp.failed),
  };
}
