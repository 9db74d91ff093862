import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import type { EventLog } from "../port.ts";
import { aBatch, describeEventLog } from "../tests/event-log-suite.ts";
import { holdPartition, ingest, nextRange, textsOf } from "../tests/held-partition.ts";
import { type LocalEventLogOptions, openLocalEventLog } from "./event-log.ts";

describeEventLog("the local log", async () => {
  const folder = await mkdtemp(join(tmpdir(), "event-log-"));
  return {
    open: () => openLocalEventLog({ file: join(folder, "events.db") }),
    remove: () => rm(folder, { recursive: true }),
  };
});

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await aFolder();
  file = join(folder, "events.db");
});

async function openLog(options: Partial<LocalEventLogOptions> = {}): Promise<EventLog> {
  const log = await openLocalEventLog({ file, ...options });
  onTestFinished(() => log.close());
  return log;
}

async function ingestAll(log: EventLog): Promise<void> {
  const { partition, consumer } = await holdPartition(log);
  while ((await log.lag()) > 0) {
    await ingest(partition, await nextRange(partition));
  }
  await consumer.close();
}

function query(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

it("never assigns an offset twice, also after truncation and a restart", async () => {
  const before = await openLog();
  await before.append(aBatch("a"));
  await ingestAll(before);
  await vi.waitUntil(() => query("SELECT count(*) AS n FROM batches")[0]?.n === 0, 20_000);
  await before.close();

  const after = await openLog();
  await after.append(aBatch("b"));
  const { partition } = await holdPartition(after);

  expect((await nextRange(partition)).first).toBe(2n);
  expect(await after.lag()).toBe(1);
});

it("gets another id when its file is created again", async () => {
  const first = await openLog();
  const before = await holdPartition(first);
  await first.close();
  await rm(file);

  const second = await openLog();
  const { partition } = await holdPartition(second);

  expect(partition.id).toMatch(/^events-[0-9a-f]{16}:0$/);
  expect(partition.id).not.toBe(before.partition.id);
});

it("refuses an owner of an older epoch at its intent, its commit and its dead letters", async () => {
  const log = await openLog();
  await log.append(aBatch("a"));
  const zombie = await holdPartition(log);
  const range = await nextRange(zombie.partition);
  await zombie.partition.recordIntent(range);
  const successor = await holdPartition(await openLog());

  const lost = { code: "PARTITION_LOST", canRetry: false };
  await expect(zombie.partition.commit(range)).rejects.toMatchObject(lost);
  await expect(zombie.partition.recordIntent(range)).rejects.toMatchObject(lost);
  await expect(zombie.partition.writeDeadLetters([{ line: "x", reason: "y" }])).rejects.toMatchObject(lost);

  expect(zombie.partition.signal.aborted).toBe(true);
  expect(successor.partition.signal.aborted).toBe(false);
  const { origin, first, last } = range;
  expect(await successor.partition.recordedIntent()).toEqual({ origin, first, last });
  await successor.partition.commit(range);
});

it("gives a new origin to what is read after each start, and keeps the first one of a repeated range", async () => {
  const before = await openLog();
  await before.append(aBatch("a"));
  const first = await holdPartition(before);
  const range = await nextRange(first.partition);
  await first.partition.recordIntent(range);
  await before.close();

  const { partition } = await holdPartition(await openLog());
  const intent = await partition.recordedIntent();
  const readAgain = await nextRange(partition);

  expect(intent?.origin).toBe(range.origin);
  expect(readAgain).toMatchObject({ first: range.first, last: range.last });
  expect(readAgain.origin).not.toBe(range.origin);
});

it("marks batches of an earlier start as possibly stored", async () => {
  const before = await openLog();
  await before.append(aBatch("a"));
  await before.close();
  const log = await openLog();
  await log.append(aBatch("b"));
  const { partition } = await holdPartition(log);

  const range = await nextRange(partition);

  expect(range.batches.map(({ mayRepeat = false }) => mayRepeat)).toEqual([true, false]);
});

it("opens a file of format 1 and keeps the token of its intent", async () => {
  await openLog().then((log) => log.append(aBatch("a")).then(() => log.close()));
  const database = new DatabaseSync(file);
  database.exec("ALTER TABLE marks DROP COLUMN intent_origin; PRAGMA user_version = 1");
  database.exec("UPDATE marks SET intent_first = 1, intent_last = 1");
  database.close();

  const { partition } = await holdPartition(await openLog());
  const intent = await partition.recordedIntent();

  expect(intent).toEqual({ origin: partition.id, first: 1n, last: 1n });
});

it("opens a file of an earlier release, which did not record when batches were appended", async () => {
  await openLog().then((log) => log.append(aBatch("a", 3)).then(() => log.close()));
  const database = new DatabaseSync(file);
  database.exec("ALTER TABLE batches DROP COLUMN appended_at");
  database.close();

  const log = await openLog();
  const older = await log.backlog();
  await ingestAll(log);
  await log.append(aBatch("b"));
  const newer = await log.backlog();

  expect(older.partitions).toEqual([{ partition: 0, events: 3, oldestAt: null }]);
  expect(newer.partitions).toEqual([{ partition: 0, events: 1, oldestAt: expect.any(Number) }]);
});

it("writes to the disk but no events when it is probed", async () => {
  const log = await openLog();
  const before = (await stat(`${file}-wal`)).size;

  await log.probe();

  expect((await stat(`${file}-wal`)).size).toBeGreaterThan(before);
  expect(await log.lag()).toBe(0);
});

it("reports a range that is gone", async () => {
  const log = await openLog();
  await log.append(aBatch("a"));
  const { partition } = await holdPartition(log);

  const reading = partition.readExactly({ origin: partition.id, first: 1n, last: 2n });

  await expect(reading).rejects.toMatchObject({ code: "RANGE_GONE" });
});

it("rejects only what does not fit into the queue", async () => {
  const log = await openLog({ maxPendingBytes: 1000 });
  const batch = { rows: Buffer.alloc(400, "\n"), count: 1 };

  const outcomes = await Promise.allSettled([log.append(batch), log.append(batch), log.append(batch)]);
  await log.append(batch);

  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(outcomes[2]).toMatchObject({ reason: { code: "UNAVAILABLE", canRetry: true } });
  expect(await log.lag()).toBe(3);
});

it("rejects appends while the file is full and takes them again once events were ingested", async () => {
  const log = await openLog({ maxFileBytes: 1024 * 1024 });
  const batch = { rows: Buffer.alloc(100_000, "\n"), count: 1 };
  let stored = 0;
  let refusal: unknown;
  while (refusal === undefined && stored < 20) {
    await log.append(batch).then(
      () => stored++,
      (error: unknown) => {
        refusal = error;
      },
    );
  }

  const lagWhenFull = await log.lag();
  await ingestAll(log);

  expect(refusal).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("full") });
  expect(lagWhenFull).toBe(stored);
  await vi.waitUntil(
    () =>
      log
        .append(batch)
        .then(Boolean, () => false)
        .then(() => true),
    20_000,
  );
  await vi.waitUntil(async () => (await log.lag()) > 0, 20_000);
});

it("gives the space of ingested events back and keeps the write-ahead log bounded", async () => {
  const log = await openLog();
  const batch = { rows: Buffer.alloc(1_000_000, "\n"), count: 1 };
  for (let i = 0; i < 40; i++) await log.append(batch);
  const grown = (await stat(file)).size + (await stat(`${file}-wal`)).size;

  await ingestAll(log);

  expect(grown).toBeGreaterThan(40_000_000);
  await vi.waitUntil(async () => (await stat(file)).size < 15_000_000, { timeout: 10_000 });
  expect((await stat(`${file}-wal`)).size).toBeLessThan(20_000_000);
});

it("keeps dead letters up to the limit and says how many it dropped", async () => {
  const onWarning = vi.fn();
  const log = await openLog({ maxDeadLetters: 2, onWarning });
  const { partition } = await holdPartition(log);

  await partition.writeDeadLetters([1, 2, 3].map((n) => ({ line: `line ${n}`, reason: "no array" })));

  expect(query("SELECT line, reason FROM dead_letters ORDER BY id")).toEqual([
    { line: "line 2", reason: "no array" },
    { line: "line 3", reason: "no array" },
  ]);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^1 of the oldest dead letters/));
});

it.each([
  ["text", (content: Buffer) => Buffer.alloc(content.length, "not a database ")],
  ["its first half", (content: Buffer) => content.subarray(0, content.length / 2)],
  ["a page of noise", (content: Buffer) => Buffer.from(content).fill(0xa5, 32_768 * 5, 32_768 * 6)],
])("refuses a damaged file (%s) in one sentence that names it, and leaves it as it is", async (_, damage) => {
  const log = await openLog();
  for (let i = 0; i < 20; i++) await log.append({ rows: Buffer.alloc(3000, "\n"), count: 1 });
  await log.close();
  const damaged = damage(await readFile(file));
  await writeFile(file, damaged);

  const opening = openLocalEventLog({ file });

  await expect(opening).rejects.toMatchObject({
    code: "DAMAGED",
    message: expect.stringMatching(
      new RegExp(`^The event log ${file} is damaged and was left as it is: .+\\.$`),
    ),
  });
  expect((await readFile(file)).equals(damaged)).toBe(true);
});

it("leaves a damaged file and the write-ahead log beside it as they are", async () => {
  const log = await openLog();
  for (let i = 0; i < 20; i++) await log.append({ rows: Buffer.alloc(3000, "\n"), count: 1 });
  await log.close();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_autocheckpoint = 0; UPDATE marks SET epoch = epoch + 1");
  const writeAhead = await readFile(`${file}-wal`);
  database.close();
  const damaged = (await readFile(file)).fill(0xa5, 32_768 * 5, 32_768 * 6);
  await Promise.all([writeFile(file, damaged), writeFile(`${file}-wal`, writeAhead)]);

  const opening = openLocalEventLog({ file });

  await expect(opening).rejects.toMatchObject({ code: "DAMAGED" });
  expect(writeAhead.length).toBeGreaterThan(0);
  expect((await readFile(file)).equals(damaged)).toBe(true);
  expect((await readFile(`${file}-wal`)).equals(writeAhead)).toBe(true);
});

it("refuses another program's database and a folder that does not exist", async () => {
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE guests (name TEXT)");
  other.close();

  await expect(openLocalEventLog({ file })).rejects.toMatchObject({
    code: "DAMAGED",
    message: `The file ${file} is not an event log and was left as it is.`,
  });
  await expect(openLocalEventLog({ file: join(folder, "none", "events.db") })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("cannot be opened"),
  });
});

it("rejects pending appends as unclear when its thread dies, and continues with a new one", async () => {
  const workers: Worker[] = [];
  const onWarning = vi.fn();
  const log = await openLog({
    onWarning,
    createWorker: (url, options) => {
      const worker = new Worker(url, options);
      workers.push(worker);
      return worker;
    },
  });
  await log.append(aBatch("a"));
  const { partition } = await holdPartition(log);

  const pending = log.append({ rows: Buffer.alloc(30_000_000, "\n"), count: 1 });
  const outcome = expect(pending).rejects.toMatchObject({ code: "UNCLEAR" });
  await workers[0]?.terminate();
  await outcome;
  await vi.waitUntil(
    () =>
      log.append(aBatch("b")).then(
        () => true,
        () => false,
      ),
    20_000,
  );

  const range = await nextRange(partition);
  expect(textsOf(range).at(0)).toBe('["a"]\n');
  expect(textsOf(range).at(-1)).toBe('["b"]\n');
  expect(workers).toHaveLength(2);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("thread died"));
});

it("keeps how the events of a range were judged over a restart, for its owner and for that range alone", async () => {
  const log = await openLog();
  await log.append(aBatch("a"));
  const { partition, consumer } = await holdPartition(log);
  const range = await nextRange(partition);
  await partition.recordIntent(range);
  await partition.recordJudgements(range, Buffer.from("judged"));
  await consumer.close();
  await log.close();

  const { partition: successor } = await holdPartition(await openLog());

  const intent = await successor.recordedIntent();
  const recorded = await successor.recordedJudgements(intent ?? range);
  expect(Buffer.from(recorded ?? []).toString()).toBe("judged");
  expect(await successor.recordedJudgements({ ...range, last: range.last + 1n })).toBeNull();
  await expect(partition.recordJudgements(range, Buffer.from("late"))).rejects.toMatchObject({
    code: "CLOSED",
  });
});

it("says when it took a batch", async () => {
  const log = await openLog();
  const before = Date.now();
  await log.append(aBatch("a"));
  const { partition } = await holdPartition(log);

  const range = await nextRange(partition);

  const appendedAt = range.batches[0]?.appendedAt ?? 0;
  expect(appendedAt).toBeGreaterThanOrEqual(before);
  expect(appendedAt).toBeLessThanOrEqual(Date.now());
});
