import { once } from "node:events";
import { EventLogError } from "../errors.ts";
import { openKafkaEventLog } from "../kafka/event-log.ts";
import { EAGER } from "./held-partition.ts";

/**
 * A worker for a test to freeze: reads a range, says so, and waits for a message, which the test sends while the worker
 * is frozen. When it wakes, it tries to record its intent at once, and says how that ended.
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
  const woken = once(process, "message");
  process.send?.("read");
  await woken;
  const answer = await partition.recordIntent(range).then(
    () => "recorded",
    (error: unknown) => (error instanceof EventLogError ? error.code : String(error)),
  );
  process.send?.(answer);
});
