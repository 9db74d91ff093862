import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { createStatsStore } from "#libs/stats-store/index.ts";
import type { Bench } from "../bench/bench.ts";
import {
  type Ingester,
  type IngestionAnswer,
  KAFKA_PARTITIONS,
  type LogAt,
  startIngester,
} from "../bench/ingestion-run.ts";
import type { ClickHouseEngine } from "../engines/engines.ts";
import { pairedRatio, significant, spreadOf } from "../measure/statistics.ts";
import { releasing } from "../processes/releases.ts";
import type { ScenarioResult } from "../report/result.ts";

const ROUNDS_AT_MOST = 3;
/** Events per second of the loads' duration. */
const EVENTS_PER_SECOND = 200_000;
const MOST_EVENTS = 2_000_000;
const BATCH = 500;

const WAYS = ["bare client", "local log", "bare client, as many at once", "Kafka"] as const;
type Way = (typeof WAYS)[number];
/** What does the same with as many inserts under way; baselines have none. */
const BASELINE: Readonly<Partial<Record<Way, Way>>> = {
  "local log": "bare client",
  Kafka: "bare client, as many at once",
};

/**
 * Events from a full log into ClickHouse, exactly once, against the bare client inserting the same rows: one insert after
 * the other beside the local log, which has one partition, and as many at once as Kafka's partitions beside Kafka.
 */
export function ingestion({ options, testEngines, folder }: Bench): Promise<ScenarioResult> {
  return releasing(async (later) => {
    const clickHouse = await testEngines.clickHouse();
    const kafka = await testEngines.kafka();
    const ingester = startIngester();
    later(() => ingester.stop());

    const asked = Math.min(MOST_EVENTS, options.duration * EVENTS_PER_SECOND);
    const events = Math.ceil(asked / BATCH) * BATCH;
    const rounds = Math.min(ROUNDS_AT_MOST, options.rounds);
    const logs: readonly LogAt[] = [
      { kind: "local", file: join(folder, "ingestion.db") },
      { kind: "Kafka", brokers: kafka.brokers, topic: "ingestion" },
    ];
    const answers: Record<Way, IngestionAnswer[]> = {
      "bare client": [],
      "local log": [],
      "bare client, as many at once": [],
      Kafka: [],
    };
    // The first round warms everything up and is left out.
    for (let round = 0; round <= rounds; round += 1) {
      const measured = await runRound(ingester, clickHouse, logs, events);
      if (round === 0) continue;
      for (const way of WAYS) answers[way].push(measured[way]);
    }
    return summarise(answers, events);
  });
}

async function runRound(
  ingester: Ingester,
  clickHouse: ClickHouseEngine,
  logs: readonly LogAt[],
  events: number,
): Promise<Record<Way, IngestionAnswer>> {
  const inFreshDatabase = (run: (access: Access) => Promise<IngestionAnswer>) =>
    withDatabase(clickHouse, events, run);
  const through = (log: LogAt | undefined) =>
    inFreshDatabase(async (access) => {
      const ask = { clickHouse: access, events, ...(log === undefined ? {} : { log }) };
      await ingester.run({ ...ask, what: "fill" });
      return ingester.run({ ...ask, what: "ingest" });
    });
  const bare = (atOnce: number) =>
    inFreshDatabase((access) => ingester.run({ what: "insert", clickHouse: access, events, atOnce }));
  return {
    "bare client": await bare(1),
    "local log": await through(logs[0]),
    "bare client, as many at once": await bare(KAFKA_PARTITIONS),
    Kafka: await through(logs[1]),
  };
}

interface Access {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/** Lends a database of its own with the product's schema, looks whether all events are in it, and drops it. */
async function withDatabase(
  { url, username, password }: ClickHouseEngine,
  events: number,
  run: (access: Access) => Promise<IngestionAnswer>,
): Promise<IngestionAnswer> {
  const access = { url, username, password, database: "loadtest_ingestion" };
  const client = createClient({ url, username, password });
  const store = createStatsStore(access);
  try {
    await client.command({ query: `DROP DATABASE IF EXISTS ${access.database} SYNC` });
    await store.migrate();
    const answer = await run(access);
    const query = `SELECT toFloat64(count()) AS stored FROM ${access.database}.events`;
    const [row] = await (await client.query({ query, format: "JSONEachRow" })).json<{ stored: number }>();
    if (row?.stored !== events) throw new Error(`${row?.stored} events are stored of ${events}.`);
    return answer;
  } finally {
    await client.command({ query: `DROP DATABASE IF EXISTS ${access.database} SYNC` });
    await Promise.all([store.close(), client.close()]);
  }
}

function summarise(
  answers: Readonly<Record<Way, readonly IngestionAnswer[]>>,
  events: number,
): ScenarioResult {
  const perSecond = (way: Way) => answers[way].map(({ seconds }) => events / seconds);
  const ratioOf = (way: Way) => pairedRatio(perSecond(way), perSecond(BASELINE[way] ?? way));
  return {
    scenario: "ingestion",
    rows: WAYS.map((way) => {
      const rows = spreadOf(perSecond(way));
      const micros = spreadOf(answers[way].map(({ cpuMicros }) => cpuMicros / events));
      return {
        ingestion: nameOf(way),
        "rows/s": Math.round(rows.median),
        "min..max": `${Math.round(rows.min)}..${Math.round(rows.max)}`,
        "CPU us/row": significant(micros.median, 3),
        ...(BASELINE[way] === undefined ? {} : { ratio: significant(ratioOf(way).median, 3) }),
      };
    }),
    headline: {
      ingestion: {
        local: significant(ratioOf("local log").median, 3),
        kafka: significant(ratioOf("Kafka").median, 3),
      },
    },
    charts: [
      {
        kind: "bars",
        title: `Ingestion of ${events} events`,
        unit: "rows/s",
        bars: WAYS.map((way) => {
          const { median, min, max } = spreadOf(perSecond(way));
          return {
            label: nameOf(way),
            value: median,
            range: [min, max] as const,
          };
        }),
      },
    ],
    details: { events, answers },
    complaints: [],
  };
}

function nameOf(way: Way): string {
  return BASELINE[way] === undefined ? way : `Placard, ${way}`;
}
