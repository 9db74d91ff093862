// Fills logs and moves what is in them into the stats store, asked and answering over IPC: what ingestion does, timed from
// inside, and what the bare client does with the same rows.
import { Readable } from "node:stream";
import { createClient } from "@clickhouse/client";
import { pino } from "pino";
import { Registry } from "prom-client";
import { z } from "zod";
import { EVENT_COLUMNS } from "#libs/domain/event.ts";
import { type EventLog, openKafkaEventLog, openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { createStatsStore } from "#libs/stats-store/index.ts";
import { startIngestion } from "../../services/ingestion/worker.ts";
import { until } from "../processes/until.ts";
import { eventLines, eventRows } from "../seeds/event-rows.ts";
import {
  type IngestionAnswer,
  type IngestionAsk,
  ingestionAsk,
  KAFKA_PARTITIONS,
  type LogAt,
} from "./ingestion-run.ts";

/** As many events as a busy server's batch has. */
const EVENTS_IN_A_BATCH = 500;
const BATCHES_AT_ONCE = 50;
/** As many as ingestion inserts at most. */
const EVENTS_IN_AN_INSERT = 100_000;
/** Bytes as they are: its quickest way. */
const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(", ")}) FORMAT JSONCompactEachRow`;
const INGESTED_WITHIN_MS = 240_000;

const asked = z.object({ id: z.number(), ask: ingestionAsk });

process.on("message", async (message) => {
  const { id, ask } = asked.parse(message);
  try {
    process.send?.({ id, answer: await DO[ask.what](ask) });
  } catch (error) {
    process.send?.({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());

const DO: Readonly<Record<IngestionAsk["what"], (ask: IngestionAsk) => Promise<IngestionAnswer>>> = {
  fill,
  ingest,
  insert,
};

async function fill({ log: at, events }: IngestionAsk): Promise<IngestionAnswer> {
  const log = await openLog(at);
  const timer = startTimer();
  const now = Date.now();
  const size = EVENTS_IN_A_BATCH;
  for (let done = 0; done < events; done += size * BATCHES_AT_ONCE) {
    const batches = Math.min(BATCHES_AT_ONCE, Math.ceil((events - done) / size));
    const appends = Array.from({ length: batches }, (_, nth) =>
      log.append({ rows: eventLines(done + nth * size, size, now), count: size }),
    );
    await Promise.all(appends);
  }
  await log.close();
  return timer();
}

async function ingest({ log: at, clickHouse, events }: IngestionAsk): Promise<IngestionAnswer> {
  const log = await openLog(at);
  const store = createStatsStore(clickHouse);
  const registry = new Registry();
  let timer: (() => IngestionAnswer) | undefined;
  let lastCommit: IngestionAnswer | undefined;
  const ingestion = await startIngestion({
    log,
    store,
    // A judge that has run all the time: events from before the start of one are looked up in the store.
    judge: { judge: createMemoryJudge().judge, knowsSince: 0 },
    logger: pino({ level: "error" }, pino.destination(2)),
    registry,
    onStep(step) {
      if (step === "read") timer ??= startTimer();
      if (step === "committed") lastCommit = timer?.();
    },
  });
  try {
    return await until(
      async () => {
        const { values } = (await registry.getSingleMetric("placard_ingestion_events_total")?.get()) ?? {
          values: [],
        };
        return (values[0]?.value ?? 0) >= events ? lastCommit : undefined;
      },
      "Not all events were ingested.",
      INGESTED_WITHIN_MS,
    );
  } finally {
    await ingestion.close();
    await log.close();
    await store.close();
  }
}

async function insert({ clickHouse, events, atOnce }: IngestionAsk): Promise<IngestionAnswer> {
  const client = createClient({ ...clickHouse, max_open_connections: atOnce });
  const now = Date.now();
  const blocks: Buffer[] = [];
  for (let done = 0; done < events; done += EVENTS_IN_AN_INSERT) {
    blocks.push(eventRows(done, Math.min(EVENTS_IN_AN_INSERT, events - done), now));
  }
  const timer = startTimer();
  const insertAll = async () => {
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
      const { stream } = await client.exec({
        query: INSERT,
        values: Readable.from([block], { objectMode: false }),
      });
      // The socket goes back to the pool only when the answer has been read.
      for await (const _ of stream);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, insertAll));
  const answer = timer();
  await client.close();
  return answer;
}

async function openLog(at: LogAt | undefined): Promise<EventLog> {
  if (at === undefined) throw new Error("There is no log to open.");
  if (at.kind === "local") return openLocalEventLog({ file: at.file });
  return openKafkaEventLog({
    brokers: at.brokers.split(","),
    topic: at.topic,
    partitions: KAFKA_PARTITIONS,
    replication: 1,
    retentionHours: 1,
    ssl: false,
  });
}

/** Gives the time and the CPU since it was made. */
function startTimer(): () => IngestionAnswer {
  const started = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: (performance.now() - started) / 1000, cpuMicros: user + system };
  };
}
