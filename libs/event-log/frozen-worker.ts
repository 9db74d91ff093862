import { setTimeout as sleep } from "node:timers/promises";
import { EventLogError } from "./errors.ts";
import { EAGER } from "./held-partition.ts";
import { openKafkaEventLog } from "./kafka.ts";

/** A gap of this many milliseconds between two looks at the clock is a freeze; a busy machine makes shorter ones. */
const FROZEN_MS = 1_500;

/**
 * A worker for a test to freeze: reads a range, says so, and when it wakes tries to record its intent at once. It then
 * tells how that ended.
 */
const [brokers = "", topic = ""] = process.argv.slice(2);
const log = await openKafkaEventLog({
  brokers: brokers.split(","),
  topic,
  partitions: 1,
  replication: 1,
  retentionHours: 1,
  sessionTimeoutMs: 1500,
});
await log.consume(async (partition) => {
  const range = await partition.readNext(EAGER);
  if (range === null) return;
  process.send?.("read");
  await untilWoken();
  const answer = await partition.recordIntent(range).then(
    () => "recorded",
    (error: unknown) => (error instanceof EventLogError ? error.code : String(error)),
  );
  process.send?.(answer);
});

async function untilWoken(): Promise<void> {
  for (let before = Date.now(); ; before = Date.now()) {
    await sleep(10);
    if (Date.now() - before > FROZEN_MS) return;
  }
}
