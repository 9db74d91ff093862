import { randomUUID } from "node:crypto";
import { once } from "node:events";
import kafkajs from "kafkajs";
import { expect, it, onTestFinished, vi } from "vitest";
import { aBatch } from "../tests/event-log-suite.ts";
import { EAGER } from "../tests/held-partition.ts";
import { createClient } from "./connection.ts";
import { openKafkaEventLog } from "./event-log.ts";

const BROKERS = (process.env.KAFKA_TEST_BROKERS ?? "").split(",");
const HOUR_MS = 3_600_000;

async function openLog() {
  const topic = `backlog-${randomUUID()}`;
  const log = await openKafkaEventLog({
    brokers: BROKERS,
    topic,
    partitions: 2,
    replication: 1,
    retentionHours: 48,
  });
  onTestFinished(() => log.close());
  return { topic, log };
}

it("tells of one partition that is stuck while another is counted, also while nobody consumes", async () => {
  const { log } = await openLog();
  const began = Date.now();
  await log.append(aBatch("a", 3), "0");
  await log.append(aBatch("b", 4), "1");
  const consumer = await log.consume(async (partition) => {
    if (partition.id.endsWith(":0")) {
      const range = await partition.readNext({ ...EAGER, maxWaitMs: 20_000 });
      if (range === null) return;
      await partition.recordIntent(range);
      await partition.commit(range);
    }
    if (!partition.signal.aborted) await once(partition.signal, "abort");
  });
  await vi.waitFor(async () => expect((await log.backlog()).partitions[0]?.events).toBe(0), {
    timeout: 20_000,
  });
  await consumer.close();

  const { partitions } = await log.backlog();

  expect(partitions).toEqual([
    { partition: 0, events: 0, oldestAt: null },
    { partition: 1, events: 4, oldestAt: expect.any(Number) },
  ]);
  expect(partitions[1]?.oldestAt).toBeGreaterThanOrEqual(began - 1_000);
  expect(partitions[1]?.oldestAt).toBeLessThanOrEqual(Date.now() + 1_000);
});

it("tells the topic's own retention, also once it is no longer what the topic was made with", async () => {
  const { topic, log } = await openLog();
  const admin = createClient({ brokers: BROKERS }).admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  const retain = (milliseconds: number) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name: topic,
          configEntries: [{ name: "retention.ms", value: String(milliseconds) }],
        },
      ],
    });
  const becomes = (retentionMs: number | null) =>
    vi.waitFor(async () => expect(await log.backlog()).toMatchObject({ retentionMs }), { timeout: 20_000 });

  await becomes(48 * HOUR_MS);
  await retain(6 * HOUR_MS);
  await becomes(6 * HOUR_MS);
  await retain(-1);
  await becomes(null);
});
