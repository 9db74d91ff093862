import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { aPassingEngine } from "../../../infra/native/private-engine.ts";
import { kafkaRecipe } from "../../../infra/native/recipes.ts";
import { openKafkaEventLog } from "../kafka/event-log.ts";
import type { EventBatch, EventLog } from "../port.ts";
import { EAGER, holdPartition } from "../tests/held-partition.ts";
import { openSpill } from "./spill.ts";

const WAIT = { timeout: 30_000, interval: 50 };
const APPENDERS = 4;

let folder: string;
const aKafka = () => aPassingEngine(kafkaRecipe);
let kafka: Awaited<ReturnType<typeof aKafka>>;

beforeEach(async () => {
  folder = await aFolder();
  kafka = await aKafka();
  await kafka.program.start();
});

afterEach(() => kafka.remove());

it("acknowledges all along while Kafka is killed and comes back, and gives it each batch", {
  timeout: 90_000,
}, async () => {
  const log = await openKafkaEventLog({
    brokers: [kafka.address.broker],
    topic: "spilled",
    partitions: 1,
    replication: 1,
    retentionHours: 1,
  });
  const spill = await openSpill(log, { folder: folder, quarantineMs: 2000 });
  const load = startLoad(spill);
  await vi.waitUntil(() => load.acknowledged.length > 200, WAIT);

  await kafka.program.kill();
  await vi.waitUntil(() => spill.spillState().logIsAway, WAIT);
  const before = load.acknowledged.length;
  await vi.waitUntil(() => load.acknowledged.length > before + 300, WAIT);
  await kafka.program.start();
  await vi.waitUntil(() => spill.spillState().waitingBytes === 0, WAIT);
  await load.stop();
  const copies = await readAll(spill, load.acknowledged);
  await spill.close();

  expect(load.refused).toEqual([]);
  expect(load.acknowledged.filter((name) => !copies.has(name))).toEqual([]);
  // Ingestion drops what says that it may be a repetition and is one: every copy but the first has to.
  const unmarked = [...copies].filter(([, committed]) => committed.slice(1).includes(false));
  expect(unmarked).toEqual([]);
  expect(spill.spillState().spilled).toBeGreaterThanOrEqual(300);
});

function startLoad(log: EventLog) {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let isOver = false;
  async function append(appender: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const name = `${appender}-${turn}`;
      await log.append({ rows: Buffer.from(`["${name}"]\n`), count: 1 }).then(
        () => acknowledged.push(name),
        (error: unknown) => refused.push(error),
      );
      await sleep(10);
    }
  }
  const appending = Promise.all(Array.from({ length: APPENDERS }, (_, appender) => append(appender)));
  return {
    acknowledged,
    refused,
    async stop() {
      isOver = true;
      await appending;
    },
  };
}

/** The copies of each batch in the order of the log: whether each says that it may be a repetition. */
async function readAll(log: EventLog, names: readonly string[]): Promise<Map<string, boolean[]>> {
  const { partition, consumer } = await holdPartition(log);
  const copies = new Map<string, boolean[]>();
  // What is acknowledged is in the log by now, so that a silence is the end of it.
  for (;;) {
    const range = await partition.readNext({
      ...EAGER,
      maxWaitMs: copies.size < names.length ? 10_000 : 1000,
    });
    if (range === null) break;
    for (const batch of range.batches) note(copies, batch);
    await partition.recordIntent(range);
    await partition.commit(range);
  }
  await consumer.close();
  return copies;
}

/** What the spill has joined comes as one batch. */
function note(copies: Map<string, boolean[]>, { rows, mayRepeat }: EventBatch): void {
  for (const [, name = ""] of rows.toString().matchAll(/"([^"]*)"/g))
    copies.set(name, [...(copies.get(name) ?? []), mayRepeat === true]);
}
