import { startBareLike } from "../baselines/bare-like.ts";
import { type Comparison, compare, ratioOf } from "../baselines/rounds.ts";
import type { Bench } from "../bench/bench.ts";
import type { Load } from "../clients/load.ts";
import { numberedPath } from "../clients/numbers.ts";
import { startService } from "../engines/services.ts";
import { SEEDS } from "../engines/test-engines.ts";
import { significant } from "../measure/statistics.ts";
import { releasing } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";
import { seedId } from "../seeds/seed-ids.ts";

const CONNECTIONS = 64;
const ROUNDS_AT_MOST = 3;
const REQUESTS_PER_CONNECTION = 1_000;
const PATH = `/v1/workspaces/${seedId("ws", SEEDS.main.first)}/ads/serving`;
const MANY = { first: SEEDS.many.first, count: SEEDS.many.count };
const A_MILLION = 1_000_000;

interface Case {
  readonly name: string;
  readonly load: Pick<Load, "paths" | "headers" | "numbered" | "requestsPerConnection" | "expectStatus">;
}

/** Bands of weight, tiers and counts, as many as a busy site has slots. */
const FILTERS = Array.from({ length: 200 }, (_, nth) => {
  const tier = seedId("tier", SEEDS.main.first * 3 + (nth % 3));
  const filter = nth % 2 === 0 ? `weight[gte]=${1 + (nth % 5)}` : `tierId=${tier}`;
  return `${PATH}?count=${1 + (nth % 20)}&${filter}&excludeIds=${seedId("ad", SEEDS.main.firstAd + nth)}`;
});

const CASES: readonly Case[] = [
  { name: "50 ads", load: { paths: [`${PATH}?count=50`] } },
  { name: "200 different filters", load: { paths: FILTERS } },
  {
    name: "304, nothing new",
    load: { paths: [`${PATH}?count=8`], headers: { "if-none-match": "*" }, expectStatus: "3xx" },
  },
  {
    name: "no answer ready, of 1,000 ads",
    load: {
      paths: [`${PATH}?count=8&excludeIds=ad_#`],
      numbered: { first: 0, count: A_MILLION },
      requestsPerConnection: REQUESTS_PER_CONNECTION,
    },
  },
  {
    name: "10,000 workspaces of 50 ads",
    load: {
      paths: ["/v1/workspaces/ws_#/ads/serving?count=8"],
      numbered: MANY,
      requestsPerConnection: REQUESTS_PER_CONNECTION,
    },
  },
];

/** Serving as a service of its own, asked in many ways, each against a bare route that returns the like bytes. */
export async function variety(bench: Bench): Promise<ScenarioResult> {
  const { options, client, folder, testEngines } = bench;
  await testEngines.seed("main", "many");
  const engines = await testEngines.all();
  return releasing(async (later) => {
    const { profileDir } = options;
    const server = await startService("serving", engines, { folder, topic: "variety", profileDir });
    later(() => server.stop());

    const emptyBytes = (await server.usage()).residentBytes;
    const cold = await client.run({
      origin: server.origin,
      method: "GET",
      paths: ["/v1/workspaces/ws_#/ads/serving?count=8"],
      numbered: MANY,
      requestsPerConnection: MANY.count / 50,
      connections: 50,
      amount: MANY.count,
      duration: 120,
    });
    const fullBytes = (await server.usage()).residentBytes;

    const comparisons: { name: string; comparison: Comparison }[] = [];
    for (const each of CASES)
      comparisons.push({ name: each.name, comparison: await compareCase(bench, server, each) });

    const failed = comparisons.reduce((sum, { comparison }) => sum + comparison.failed, cold.failed);
    const megabytes = Math.round(fullBytes / 1e6);
    return {
      scenario: "variety",
      rows: [
        ...comparisons.flatMap(({ name, comparison }) => rowsOf(name, comparison)),
        {
          load: `each of ${MANY.count} workspaces for the first time`,
          "req/s": Math.round(cold.perSecond),
          "p50 ms": significant(cold.p50, 3),
          "p99 ms": significant(cold.p99, 3),
          "resident MB": megabytes,
        },
      ],
      headline: {
        variety: Object.fromEntries(
          comparisons.map(({ name, comparison }) => [name, significant(ratioOf(comparison), 3)]),
        ),
        servingMemory: {
          emptyMegabytes: Math.round(emptyBytes / 1e6),
          tenThousandWorkspacesMegabytes: megabytes,
        },
      },
      charts: chartsOf(comparisons.flatMap(({ name, comparison }) => sidesOf(name, comparison))),
      details: { comparisons, cold, emptyBytes, fullBytes },
      complaints: failed > 0 ? [`${failed} requests for ads failed.`] : [],
    };
  });
}

async function compareCase({ options, client }: Bench, server: Server, { load }: Case): Promise<Comparison> {
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const sample = numberedPath(load.paths[0] ?? "", load.numbered?.first ?? 0);
  const bare = await startBareLike(server, sample, profileDir, load.headers);
  const loadOf = (origin: string): Load => ({ ...load, origin, method: "GET", duration, connections });
  return compare(client, Math.min(ROUNDS_AT_MOST, rounds), {
    baseline: { server: bare, load: loadOf(bare.origin) },
    subject: { server, load: loadOf(server.origin) },
  }).finally(() => bare.stop());
}
