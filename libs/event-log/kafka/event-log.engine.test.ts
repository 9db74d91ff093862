import { randomUUID } from "node:crypto";
import { describeEventLog } from "../tests/event-log-suite.ts";
import { openKafkaEventLog } from "./event-log.ts";

const BROKERS = (process.env.KAFKA_TEST_BROKERS ?? "").split(",");

describeEventLog("kafka", async () => {
  const topic = `suite-${randomUUID()}`;
  return {
    open: () =>
      openKafkaEventLog({
        brokers: BROKERS,
        topic,
        partitions: 1,
        replication: 1,
        retentionHours: 1,
      }),
    remove: async () => undefined,
  };
});
