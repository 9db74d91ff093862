import { setTimeout as sleep } from "node:timers/promises";
import { Kafka, logLevel, Partitioners } from "kafkajs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { aPassingEngine } from "../../../infra/native/private-engine.ts";
import { kafkaRecipe } from "../../../infra/native/recipes.ts";
import type { EventBatch, EventLog, Partition } from "../port.ts";
import { EAGER } from "../tests/held-partition.ts";
import { avoidNegativeTimeouts, ClusterConnection, createClient } from "./connection.ts";
import { openKafkaEventLog } from "./event-log.ts";
import { fetchBatches } from "./fetch.ts";
import { prepareTopics } from "./topic.ts";

const WAIT = { timeout: 30_000, interval: 20 };

const aKafka = () => aPassingEngine(kafkaRecipe);
let kafka: Awaited<ReturnType<typeof aKafka>>;
beforeAll(async () => {
  kafka = await aKafka();
  await kafka.program.start();
});
afterAll(() => kafka.remove());

/** Why this log has no producer of kafkajs. Should this fail one day, kafkajs no longer has the fault. */
it("is not what kafkajs's own producer is, which acknowledges a batch that it loses after an unclear one", async () => {
  avoidNegativeTimeouts();
  const client = new Kafka({
    brokers: [kafka.address.broker],
    requestTimeout: 500,
    retry: { retries: 1, initialRetryTime: 50 },
    logLevel: logLevel.NOTHING,
  });
  await prepareTopics(client, optionsOf("lossy"));
  const producer = client.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const send = (value: string) => producer.send({ topic: "lossy", messages: [{ value, partition: 0 }] });
  await send("before");

  await kafka.program.freeze();
  await expect(send("unclear")).rejects.toThrow();
  kafka.program.wake();
  await send("acknowledged");
  const stored = await readAll("lossy");
  await producer.disconnect();

  expect(stored).toEqual(["before", "unclear"]);
});

it("keeps what it acknowledges after an unclear append, whose repetition follows it and says so", async () => {
  const log = await openLog({ topic: "unclear", partitions: 3, slots: 1, appendTimeoutMs: 1500 });
  const drain = await startDraining(log, 3);
  await log.append(aBatch("before"));

  await kafka.program.freeze();
  const failure: unknown = await log.append(aBatch("unclear")).catch((error: unknown) => error);
  kafka.program.wake();
  expect(failure).toMatchObject({ code: "UNCLEAR", canRetry: false, retryToken: expect.any(String) });
  const retryToken = failure instanceof Error && "retryToken" in failure ? String(failure.retryToken) : "";
  for (let i = 0; i < 6; i++) await log.append(aBatch(`after-${i}`));
  await log.append(aBatch("unclear"), retryToken);
  const found = await drain.until(9);
  await log.close();

  const partitionOf = new Map(found.map(({ name, partition }) => [name, partition]));
  const copies = found.filter(({ name }) => name === "unclear");
  expect([...partitionOf.keys()].sort()).toEqual(
    ["before", "unclear", ...Array.from({ length: 6 }, (_, i) => `after-${i}`)].sort(),
  );
  expect(new Set(copies.map(({ partition }) => partition)).size).toBe(1);
  expect(copies.map(({ mayRepeat }) => mayRepeat)).toEqual([false, true]);
});

it("opens while Kafka is away, and loses and doubles nothing when Kafka is killed under load", {
  timeout: 90_000,
}, async () => {
  const log = await openLog({ topic: "killed", partitions: 2, appendTimeoutMs: 1000 });
  const store = new Map<string, string[]>();
  const reading = await log.consume((partition) => moveInto(store, partition));
  const load = startLoad(log);
  await vi.waitUntil(() => load.acknowledged.size > 100 && namesIn(store).length > 50, WAIT);

  await kafka.program.kill();
  await vi.waitUntil(() => load.refused > 3, WAIT);
  const opened = await openLog({ topic: "killed-2", partitions: 1, appendTimeoutMs: 1000 });
  await expect(opened.append(aBatch("refused"))).rejects.toMatchObject({
    code: "UNAVAILABLE",
    canRetry: true,
  });
  await kafka.program.start();
  const before = load.acknowledged.size;
  await vi.waitUntil(() => load.acknowledged.size > before + 100, WAIT);
  await load.stop();
  await vi.waitUntil(
    async () => (await opened.append(aBatch("taken")).catch(() => "refused")) === undefined,
    WAIT,
  );
  await vi.waitUntil(() => [...load.acknowledged].every((name) => namesIn(store).includes(name)), WAIT);
  await reading.close();
  await Promise.all([log.close(), opened.close()]);

  const names = namesIn(store);
  expect(names.length).toBe(new Set(names).size);
  expect(load.refused).toBeGreaterThan(0);
});

function optionsOf(topic: string) {
  return { topic, partitions: 1, replication: 1, retentionHours: 1 };
}

function openLog(given: { topic: string; partitions: number; slots?: number; appendTimeoutMs: number }) {
  return openKafkaEventLog({ ...optionsOf(given.topic), brokers: [kafka.address.broker], ...given });
}

function aBatch(name: string): EventBatch {
  return { rows: Buffer.from(`${name}\n`), count: 1 };
}

function nameIn({ rows }: EventBatch): string {
  return rows.toString().trim();
}

async function readAll(topic: string): Promise<string[]> {
  const connection = new ClusterConnection(createClient({ brokers: [kafka.address.broker] }), [topic]);
  const [fetched] = await connection.use((cluster) =>
    fetchBatches(cluster, topic, [{ partition: 0, from: 0n }], { maxBytes: 1e6, maxWaitMs: 100 }),
  );
  await connection.close();
  return fetched?.batches.map(({ batch }) => nameIn(batch)) ?? [];
}

/** Reads all partitions as soon as they are there. */
async function startDraining(log: EventLog, partitions: number) {
  const found: { name: string; partition: string; mayRepeat: boolean }[] = [];
  const offered = new Set<string>();
  await log.consume(async (partition) => {
    offered.add(partition.id);
    while (!partition.signal.aborted) {
      const range = await partition.readNext(EAGER);
      if (range === null) continue;
      for (const batch of range.batches)
        found.push({ name: nameIn(batch), partition: partition.id, mayRepeat: batch.mayRepeat === true });
      await partition.commit(range);
    }
  });
  await vi.waitUntil(() => offered.size === partitions, WAIT);
  return {
    async until(count: number) {
      await vi.waitUntil(() => found.length >= count, WAIT);
      return found;
    },
  };
}

/** The protocol of ingestion, into a store that knows tokens. */
async function moveInto(store: Map<string, string[]>, partition: Partition): Promise<void> {
  const intent = await partition.recordedIntent();
  if (intent !== null) await move(await partition.readExactly(intent));
  while (!partition.signal.aborted) {
    const range = await partition.readNext({ ...EAGER, maxWaitMs: 500, maxEvents: 20 });
    if (range === null) continue;
    await partition.recordIntent(range);
    await move(range);
  }

  async function move(range: Awaited<ReturnType<Partition["readExactly"]>>): Promise<void> {
    const token = `${partition.id}:${range.first}-${range.last}`;
    const stored = new Set(namesIn(store));
    const fresh = range.batches.map(nameIn).filter((name) => !stored.has(name) || store.has(token));
    if (!store.has(token)) store.set(token, fresh);
    await partition.commit(range);
  }
}

function namesIn(store: ReadonlyMap<string, readonly string[]>): string[] {
  return [...store.values()].flat();
}

function startLoad(log: EventLog) {
  const load = { acknowledged: new Set<string>(), refused: 0 };
  let isOver = false;
  const appending = [1, 2, 3].map(async (appender) => {
    for (let turn = 0; !isOver; turn++) {
      const name = `${appender}-${turn}`;
      await log.append(aBatch(name)).then(
        () => load.acknowledged.add(name),
        () => {
          load.refused++;
        },
      );
      await sleep(2);
    }
  });
  return Object.assign(load, {
    async stop() {
      isOver = true;
      await Promise.all(appending);
    },
  });
}
