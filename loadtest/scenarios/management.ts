import { type Comparison, compare, ratioOf } from "../baselines/rounds.ts";
import { startStatementServer } from "../baselines/statement.ts";
import type { Bench } from "../bench/bench.ts";
import type { Load } from "../clients/load.ts";
import { startService } from "../engines/services.ts";
import { SEEDS } from "../engines/test-engines.ts";
import { significant } from "../measure/statistics.ts";
import { releasing } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";
import { seedId } from "../seeds/seed-ids.ts";

const CONNECTIONS = 20;
const ROUNDS_AT_MOST = 3;
const WORKSPACE = seedId("ws", SEEDS.main.first);
/** Where the baseline creates, and nobody else. */
const OF_BASELINE = SEEDS.empty.first + SEEDS.empty.count - 1;

const AD = `select a.*, s.status as subscription_status, s.paid_amount, s.current_period_end, t.name as tier_name, t.weight,
    p.amount, p.currency, v.name as advertiser_name, v.email
  from ads a join subscriptions s on s.id = a.subscription_id join tiers t on t.id = s.tier_id
  join prices p on p.id = s.price_id join advertisers v on v.id = s.advertiser_id`;

interface Case {
  readonly name: "list" | "get" | "create";
  readonly mix: NonNullable<Load["mix"]>;
  readonly url: string;
  /** What the baseline asks Postgres. */
  readonly statement: string;
  readonly parameters: string[];
}

/** The management API on one core, against a Fastify that does no more than the one statement each needs. */
export async function management(bench: Bench): Promise<ScenarioResult> {
  const { options, folder, testEngines } = bench;
  const mainKeys = await testEngines.mainKeys();
  const emptyKeys = await testEngines.emptyKeys();
  const engines = await testEngines.all();
  return releasing(async (later) => {
    const { profileDir } = options;
    const server = await startService("management", engines, { folder, topic: "management", profileDir });
    later(() => server.stop());
    const comparisons: { name: string; comparison: Comparison }[] = [];
    for (const each of casesOf(mainKeys, emptyKeys)) {
      comparisons.push({
        name: each.name,
        comparison: await compareCase(bench, server, engines.databaseUrl, each),
      });
    }
    const failed = comparisons.reduce((sum, { comparison }) => sum + comparison.failed, 0);
    return {
      scenario: "management",
      rows: comparisons.flatMap(({ name, comparison }) => rowsOf(name, comparison, "one statement")),
      headline: {
        managementPerSecond: Object.fromEntries(
          comparisons.map(({ name, comparison }) => [name, Math.round(comparison.subject.perSecond.median)]),
        ),
        managementRatio: Object.fromEntries(
          comparisons.map(({ name, comparison }) => [name, significant(ratioOf(comparison), 3)]),
        ),
      },
      charts: chartsOf(
        comparisons.flatMap(({ name, comparison }) => sidesOf(name, comparison, "one statement")),
      ),
      details: comparisons,
      complaints: failed > 0 ? [`${failed} requests of management failed.`] : [],
    };
  });
}

function casesOf(mainKeys: readonly string[], emptyKeys: readonly string[]): Case[] {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  return [
    {
      name: "list",
      mix: mainKeys.map((key, nth) => ({
        method: "GET" as const,
        path: `/v1/workspaces/${WORKSPACE}/ads?page=${1 + (nth % 40)}`,
        headers: bearer(key),
      })),
      url: "/v1/workspaces/:workspaceId/ads",
      statement: `${AD} where a.workspace_id = $1 order by a.created_at desc, a.id desc limit 25`,
      parameters: ["workspaceId"],
    },
    {
      name: "get",
      mix: mainKeys.map((key, nth) => ({
        method: "GET" as const,
        path: `/v1/workspaces/${WORKSPACE}/ads/${seedId("ad", SEEDS.main.firstAd + (nth % SEEDS.main.adsEach))}`,
        headers: bearer(key),
      })),
      url: "/v1/workspaces/:workspaceId/ads/:adId",
      statement: `${AD} where a.workspace_id = $1 and a.id = $2`,
      parameters: ["workspaceId", "adId"],
    },
    {
      name: "create",
      mix: emptyKeys.slice(0, -1).map((key, nth) => ({
        method: "POST" as const,
        path: `/v1/workspaces/${seedId("ws", SEEDS.empty.first + nth)}/tiers`,
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify({
          name: "Load test",
          weight: 1,
          initialPrices: [{ amount: 9_900, intervalCount: 1, currency: "usd" }],
        }),
      })),
      url: "/v1/workspaces/:workspaceId/tiers",
      statement: `insert into tiers (id, workspace_id, name, weight, "order")
        select 'tier_' || lpad(floor(random() * 1e18)::bigint::text, 26, '0'), '${seedId("ws", OF_BASELINE)}', 'Load test', 1, 0
        where $1::text is not null returning *`,
      parameters: ["workspaceId"],
    },
  ];
}

async function compareCase(
  { options, client }: Bench,
  server: Server,
  databaseUrl: string,
  { mix, url, statement, parameters }: Case,
): Promise<Comparison> {
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const method = mix[0]?.method ?? "GET";
  const baseline = await startStatementServer(
    { databaseUrl, method, url, statement, parameters },
    profileDir,
  );
  const loadOf = ({ origin }: Server): Load => ({
    origin,
    method,
    paths: ["/"],
    mix,
    requestsPerConnection: Math.ceil(mix.length / connections),
    duration,
    connections,
  });
  return compare(client, Math.min(ROUNDS_AT_MOST, rounds), {
    baseline: { server: baseline, load: loadOf(baseline) },
    subject: { server, load: loadOf(server) },
  }).finally(() => baseline.stop());
}
