import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { Redis } from "ioredis";
import { startUpsertServer } from "../baselines/upsert.ts";
import type { Bench } from "../bench/bench.ts";
import { type KafkaInstallation, startKafkaInstallation } from "../bench/kafka-installation.ts";
import { ACCEPTED, BROWSER } from "../clients/browser.ts";
import { isCaughtUp } from "../measure/metrics.ts";
import { significant } from "../measure/statistics.ts";
import type { TreeUsage } from "../measure/tree-usage.ts";
import { releasing } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { until } from "../processes/until.ts";
import type { ScenarioResult } from "../report/result.ts";

const A_MILLION = 1_000_000;
const CONNECTIONS = 500;
/** The baseline is that much slower, and a share of the impressions tells as much of it. */
const BASELINE_SHARE = 0.25;
const WARM_UP_SHARE = 0.5;
const SLOWEST_PER_SECOND = 200;
const CAUGHT_UP_WITHIN_MS = 120_000;

type Part = "serving" | "ingestion" | "Kafka" | "Redis" | "Postgres" | "ClickHouse";
type Costs = Readonly<Partial<Record<Part, { readonly cpuSeconds: number; readonly bytes: number }>>>;

/** What a million impressions cost each part in CPU seconds and in bytes kept, against a row of Postgres updated for each. */
export function cost(bench: Bench): Promise<ScenarioResult> {
  const { options } = bench;
  return releasing(async (later) => {
    const installation = await startKafkaInstallation(bench, "cost", later);
    const { engines } = installation;
    // Kafka makes its files; its and our code is compiled, which takes seconds of CPU and happens once.
    const warmUp = await sendImpressions(
      bench,
      installation.serving,
      Math.ceil(options.impressions * WARM_UP_SHARE),
    );
    await caughtUp(installation);

    const before = await snapshot(installation);
    const sent = await sendImpressions(bench, installation.serving, options.impressions);
    await caughtUp(installation);
    const costs = differences(before, await snapshot(installation), sent.answered);

    const upsert = await startUpsertServer(engines.databaseUrl, options.profileDir);
    later(() => upsert.stop());
    const fewer = Math.ceil(options.impressions * BASELINE_SHARE);
    const baselineBefore = { server: upsert.treeUsage(), postgres: engines.postgres.usage() };
    const baseline = await sendImpressions(bench, upsert, fewer);
    const perMillion = A_MILLION / baseline.answered;
    const baselineSeconds = {
      server: secondsBetween(baselineBefore.server, upsert.treeUsage()) * perMillion,
      Postgres: secondsBetween(baselineBefore.postgres, engines.postgres.usage()) * perMillion,
    };

    const total = Object.values(costs).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    const baselineTotal = baselineSeconds.server + baselineSeconds.Postgres;
    const failed = warmUp.failed + sent.failed + baseline.failed;
    const row = (part: string, cpuSeconds: number, bytes?: number) => ({
      "a million impressions": part,
      "CPU s": significant(cpuSeconds, 3),
      ...(bytes === undefined ? {} : { "MB kept": significant(bytes / 1e6, 3) }),
    });
    return {
      scenario: "cost",
      rows: [
        ...Object.entries(costs).map(([part, { cpuSeconds, bytes }]) => row(part, cpuSeconds, bytes)),
        row("Placard in all", total),
        row("Postgres upsert a request: server", baselineSeconds.server),
        row("Postgres upsert a request: Postgres", baselineSeconds.Postgres),
        row("Postgres upsert a request in all", baselineTotal),
      ],
      headline: {
        costOfAMillion: {
          cpuSeconds: significant(total, 3),
          baselineCpuSeconds: significant(baselineTotal, 3),
          servingCpuSeconds: significant(costs.serving?.cpuSeconds ?? Number.NaN, 3),
        },
      },
      charts: [
        {
          kind: "bars",
          title: "CPU of a million impressions",
          unit: "s",
          bars: [
            ...Object.entries(costs).map(([part, { cpuSeconds }]) => ({
              label: `Placard, ${part}`,
              value: cpuSeconds,
            })),
            { label: "upsert a request: server", value: baselineSeconds.server },
            { label: "upsert a request: Postgres", value: baselineSeconds.Postgres },
          ],
        },
        {
          kind: "bars",
          title: "Kept of a million impressions",
          unit: "MB",
          bars: Object.entries(costs).map(([part, { bytes }]) => ({
            label: `Placard, ${part}`,
            value: bytes / 1e6,
          })),
        },
      ],
      details: { impressions: sent.answered, costs, baselineSeconds },
      complaints: failed > 0 ? [`${failed} impressions failed.`] : [],
    };
  });
}

function sendImpressions({ client, options }: Bench, { origin }: Server, amount: number) {
  const { connections = CONNECTIONS } = options;
  const each = Math.max(1, Math.ceil(amount / connections));
  return client.run({
    origin,
    method: "POST",
    paths: ["/v1/ads/ad_#/impressions"],
    numbered: { first: 2_000_000, count: 1_000 },
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: each,
    expectBody: ACCEPTED,
    connections,
    amount: each * connections,
    duration: Math.ceil(amount / SLOWEST_PER_SECOND),
  });
}

async function caughtUp({ ingestion }: KafkaInstallation): Promise<void> {
  await until(
    async () => {
      const text = await (await fetch(`${ingestion.origin}/metrics`)).text();
      return isCaughtUp(text) || undefined;
    },
    "Ingestion has not caught up with the event log.",
    CAUGHT_UP_WITHIN_MS,
  );
}

type Snapshot = Readonly<Record<Part, { readonly usage: TreeUsage | undefined; readonly bytes: number }>>;

async function snapshot({ serving, ingestion, engines, topic }: KafkaInstallation): Promise<Snapshot> {
  const { kafka, redis, postgres, clickHouse, clickHouseDatabase } = engines;
  const folders = (await readdir(kafka.logs)).filter((name) => name.startsWith(`${topic}-`));
  const logs = await Promise.all(folders.map((name) => bytesBelow(join(kafka.logs, name))));
  return {
    serving: { usage: serving.treeUsage(), bytes: 0 },
    ingestion: { usage: ingestion.treeUsage(), bytes: 0 },
    Kafka: { usage: kafka.usage(), bytes: logs.reduce((sum, bytes) => sum + bytes, 0) },
    Redis: { usage: redis.usage(), bytes: await bytesInRedis(redis.url) },
    Postgres: { usage: postgres.usage(), bytes: 0 },
    ClickHouse: { usage: clickHouse.usage(), bytes: await bytesInTables(clickHouse, clickHouseDatabase) },
  };
}

/** For a million of `count`. */
function differences(before: Snapshot, after: Snapshot, count: number): Costs {
  const parts: readonly Part[] = ["serving", "ingestion", "Kafka", "Redis", "Postgres", "ClickHouse"];
  return Object.fromEntries(
    parts.map((part) => [
      part,
      {
        cpuSeconds: (secondsBetween(before[part].usage, after[part].usage) * A_MILLION) / count,
        bytes: (Math.max(0, after[part].bytes - before[part].bytes) * A_MILLION) / count,
      },
    ]),
  );
}

function secondsBetween(before: TreeUsage | undefined, after: TreeUsage | undefined): number {
  return ((after?.cpuMicros ?? Number.NaN) - (before?.cpuMicros ?? Number.NaN)) / 1e6;
}

/** What is written; Kafka's indexes are files of their full size with nothing in them. */
async function bytesBelow(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".log"));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function bytesInRedis(url: string): Promise<number> {
  const redis = new Redis(url);
  redis.on("error", () => undefined);
  const info = await redis.info("memory").finally(() => redis.disconnect());
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? Number.NaN);
}

async function bytesInTables(
  access: { readonly url: string; readonly username: string; readonly password: string },
  database: string,
): Promise<number> {
  const { url, username, password } = access;
  const client = createClient({ url, username, password });
  const query = `SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
    WHERE database = {database:String} AND active`;
  try {
    const result = await client.query({ query, query_params: { database }, format: "JSONEachRow" });
    const [row] = await result.json<{ bytes: number }>();
    return row?.bytes ?? 0;
  } finally {
    await client.close();
  }
}
