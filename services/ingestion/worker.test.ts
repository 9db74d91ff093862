import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { type EventLog, type EventRange, openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import {
  createStatsStore,
  type EmbeddedClickHouse,
  type StatsStore,
  StatsStoreError,
  startEmbeddedClickHouse,
} from "#libs/stats-store/index.ts";
import type { IngestionStore } from "./exactly-once.ts";
import { aLine } from "./tests/events.ts";
import { type Ingestion, startIngestion } from "./worker.ts";

const WAIT = { timeout: 20_000, interval: 10 };
const DAY = { from: "2026-11-21", to: "2026-11-21" };

let folder: string;
let engine: EmbeddedClickHouse;
let store: StatsStore;
let log: EventLog;
let ingestion: Ingestion;
let registry: Registry;
let logLines: { level: number; msg: string }[];
let workspaceId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ingestion-"));
  engine = await startEmbeddedClickHouse({ dataDir: join(folder, "clickhouse") });
  store = createStatsStore({ ...engine, database: "placard" });
  await store.migrate();
});

afterAll(async () => {
  await store.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  workspaceId = newId("workspace");
  registry = new Registry();
  logLines = [];
  log = await openLocalEventLog({ file: join(folder, `${workspaceId}.db`) });
  const logger = pino({ level: "info" }, { write: (line) => logLines.push(JSON.parse(line)) });
  ingestion = await startIngestion({
    log,
    store,
    judge: createMemoryJudge(),
    logger,
    registry,
    lingerMs: 10,
  });
});

afterEach(async () => {
  await ingestion.close();
  await log.close();
});

function lineOf(adId: string): string {
  return aLine(newId("event"), { workspaceId, adId, kind: "click" });
}

async function append(lines: readonly string[]): Promise<void> {
  await log.append({ rows: Buffer.from(lines.join("")), count: lines.length });
}

async function drained(): Promise<void> {
  await vi.waitUntil(async () => (await log.lag()) === 0, WAIT);
}

async function metric(name: string): Promise<number | undefined> {
  const found = await registry.getSingleMetric(`placard_ingestion_${name}`)?.get();
  return found?.values[0]?.value;
}

it("moves events into the stats and counts them", async () => {
  await append([lineOf("ad_1"), lineOf("ad_1"), lineOf("ad_2")]);
  await drained();

  expect(await store.countsByAd(workspaceId, DAY)).toEqual(
    expect.arrayContaining([
      { adId: "ad_1", impressions: 0, clicks: 2 },
      { adId: "ad_2", impressions: 0, clicks: 1 },
    ]),
  );
  await vi.waitUntil(async () => (await metric("events_total")) === 3, WAIT);
  expect(await metric("ranges_total")).toBe(1);
});

it("writes lines that ClickHouse refuses to the dead letters with the reason, and counts the others", async () => {
  await append([lineOf("ad_1"), "garbage\n", lineOf("ad_1").replace('"click"', '"view"'), lineOf("ad_1")]);
  await drained();

  expect(await store.countsByAd(workspaceId, DAY)).toEqual([{ adId: "ad_1", impressions: 0, clicks: 2 }]);
  const database = new DatabaseSync(join(folder, `${workspaceId}.db`), { readOnly: true });
  const reasons = database.prepare("SELECT reason FROM dead_letters ORDER BY id").all();
  database.close();
  expect(reasons).toEqual([{ reason: "not JSON" }, { reason: "19 values instead of 14" }]);
  await vi.waitUntil(async () => (await metric("refused_lines_total")) === 2, WAIT);
  expect(logLines.map(({ msg }) => msg)).toEqual([
    "lines that the stats store refused went to the dead letters",
  ]);
});

it("finds the line that only ClickHouse refuses among valid ones, and counts the others once", async () => {
  const refused = lineOf("ad_1").replace(/,\d{13},/, ",1.79521920e12,");
  await append([...Array.from({ length: 5 }, () => lineOf("ad_1")), refused, lineOf("ad_1"), lineOf("ad_1")]);
  await drained();

  expect(await store.countsByAd(workspaceId, DAY)).toEqual([{ adId: "ad_1", impressions: 0, clicks: 7 }]);
  await vi.waitUntil(async () => (await metric("refused_lines_total")) === 1, WAIT);
});

it("waits while ClickHouse is down, logs that once, and counts every event once", async () => {
  process.kill(engine.pid() ?? 0, "SIGKILL");
  for (let i = 0; i < 20; i++) await append([lineOf("ad_1")]);
  await drained();

  expect(await store.countsByAd(workspaceId, DAY)).toEqual([{ adId: "ad_1", impressions: 0, clicks: 20 }]);
  expect(logLines.map(({ msg }) => msg)).toEqual(["ingestion fails and tries again", "ingestion continues"]);
});

it("is blocked, and says so as an error, once the store has failed for a minute, until it continues", async () => {
  await ingestion.close();
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  const { promise: mended, resolve: mend } = Promise.withResolvers<void>();
  let isMended = false;
  void mended.then(() => {
    isMended = true;
  });
  const damaged: IngestionStore = {
    ...store,
    insertRange: (range) =>
      isMended
        ? store.insertRange(range)
        : Promise.reject(new StatsStoreError("UNAVAILABLE", "Checksum doesn't match")),
  };
  const logger = pino({ level: "info" }, { write: (line) => logLines.push(JSON.parse(line)) });
  ingestion = await startIngestion({
    log,
    store: damaged,
    judge: createMemoryJudge(),
    logger,
    registry,
    lingerMs: 1,
    firstPauseMs: 1,
  });

  await append([lineOf("ad_1")]);
  await vi.waitUntil(() => logLines.length > 0, WAIT);
  const atFirst = ingestion.isBlocked();
  const began = performance.now();
  now.mockImplementation(() => began + 60_000);
  await vi.waitUntil(() => logLines.length > 1, WAIT);
  const later = [ingestion.isBlocked(), await metric("failing_seconds")];
  mend();
  await drained();

  expect(atFirst).toBe(false);
  expect(later).toEqual([true, expect.closeTo(60, 0)]);
  await vi.waitUntil(() => !ingestion.isBlocked(), WAIT);
  await vi.waitUntil(() => logLines.length > 2, WAIT);
  expect(logLines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, "ingestion fails and tries again"],
    [50, "ingestion is blocked: events wait and are not counted"],
    [30, "ingestion continues"],
  ]);
});

it("is not blocked by a partition that failed here and was then assigned to another worker", async () => {
  await ingestion.close();
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  const assigned = new AbortController();
  const moving: EventLog = {
    append: (batch) => log.append(batch),
    probe: () => log.probe(),
    lag: () => log.lag(),
    backlog: () => log.backlog(),
    close: () => log.close(),
    consume: async (worker) => {
      const unused = () => Promise.reject(new Error("not used"));
      const partition: Parameters<typeof worker>[0] = {
        id: "events:0",
        signal: assigned.signal,
        recordedIntent: () => Promise.reject(new Error("the recorded intent cannot be read")),
        readNext: unused,
        readExactly: unused,
        recordIntent: unused,
        recordedJudgements: unused,
        recordJudgements: unused,
        commit: unused,
        writeDeadLetters: unused,
      };
      await worker(partition).catch(() => undefined);
      return { close: async () => undefined };
    },
  };
  ingestion = await startIngestion({
    log: moving,
    store,
    judge: createMemoryJudge(),
    logger: pino({ level: "silent" }),
    registry,
  });
  const began = performance.now();
  now.mockImplementation(() => began + 60_000);
  const before = ingestion.isBlocked();

  assigned.abort();

  expect([before, ingestion.isBlocked(), await metric("failing_seconds")]).toEqual([true, false, 0]);
});

it("closes while ClickHouse is away and leaves the events in the log", async () => {
  const away = createStatsStore({ url: "http://127.0.0.1:1", username: "u", password: "p", database: "d" });
  await ingestion.close();
  const logger = pino({ level: "silent" });
  ingestion = await startIngestion({
    log,
    store: away,
    judge: createMemoryJudge(),
    logger,
    registry,
    lingerMs: 0,
  });
  await append([lineOf("ad_1")]);

  await ingestion.close();

  expect(await log.lag()).toBe(1);
  ingestion = await startIngestion({ log, store, judge: createMemoryJudge(), logger, registry, lingerMs: 0 });
  await drained();
  expect(await store.countsByAd(workspaceId, DAY)).toEqual([{ adId: "ad_1", impressions: 0, clicks: 1 }]);
  await away.close();
});

it("leaves the partition to a worker that started later", async () => {
  const later = await startIngestion({
    log,
    store,
    judge: createMemoryJudge(),
    logger: pino({ level: "silent" }),
    registry: new Registry(),
    lingerMs: 0,
  });
  for (let i = 0; i < 10; i++) await append([lineOf("ad_1")]);
  await drained();
  await vi.waitUntil(() => logLines.length > 0, WAIT);
  await later.close();

  expect(logLines.map(({ msg }) => msg)).toEqual(["another worker owns the partition"]);
  expect(await store.countsByAd(workspaceId, DAY)).toEqual([{ adId: "ad_1", impressions: 0, clicks: 10 }]);
});

it("counts a batch once that the log has twice, also next to new ones and over an outage of ClickHouse", async () => {
  await ingestion.close();
  const logger = pino({ level: "silent" });
  ingestion = await startIngestion({
    log: inDoubt(log),
    store,
    judge: createMemoryJudge(),
    logger,
    registry,
    lingerMs: 10,
  });
  const twice = [lineOf("ad_1"), "garbage\n", lineOf("ad_2")];
  await append(twice);
  await drained();

  process.kill(engine.pid() ?? 0, "SIGKILL");
  await append([lineOf("ad_1")]);
  await append(twice);
  await append([lineOf("ad_2")]);
  await drained();

  expect(await store.countsByAd(workspaceId, DAY)).toEqual([
    { adId: "ad_1", impressions: 0, clicks: 2 },
    { adId: "ad_2", impressions: 0, clicks: 2 },
  ]);
  await vi.waitUntil(async () => (await metric("repeated_events_total")) === 3, WAIT);
});

/** The log as one that says of every batch that it may be a repetition. */
function inDoubt(of: EventLog): EventLog {
  const doubt = (range: EventRange): EventRange => ({
    ...range,
    batches: range.batches.map((batch) => ({ ...batch, mayRepeat: true })),
  });
  return {
    append: (batch) => of.append(batch),
    probe: () => of.probe(),
    lag: () => of.lag(),
    backlog: () => of.backlog(),
    close: () => of.close(),
    consume: (worker) =>
      of.consume((partition) =>
        worker({
          id: partition.id,
          signal: partition.signal,
          recordedIntent: () => partition.recordedIntent(),
          recordedJudgements: (range) => partition.recordedJudgements(range),
          recordJudgements: (range, judgements) => partition.recordJudgements(range, judgements),
          recordIntent: (range) => partition.recordIntent(range),
          commit: (range) => partition.commit(range),
          writeDeadLetters: (letters) => partition.writeDeadLetters(letters),
          readExactly: async (range) => doubt(await partition.readExactly(range)),
          readNext: async (limits) => {
            const range = await partition.readNext(limits);
            return range === null ? null : doubt(range);
          },
        }),
      ),
  };
}
