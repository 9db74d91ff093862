import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { openSpillingKafka } from "#libs/engines/index.ts";
import { type EventLog, type LocalEventLog, openLocalEventLog } from "#libs/event-log/index.ts";
import type { Shutdown } from "#libs/http/index.ts";
import { registerSpillMetrics } from "../serving/spill-metrics.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/**
 * Opens the event log: in Kafka where brokers are named, with the spill in front of it, else in the data folder, where it is
 * `local` too.
 */
export async function openLog(
  configuration: Configuration,
  folder: DataFolder,
  metrics: Registry,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly log: EventLog; readonly local: LocalEventLog | null }> {
  const { kafkaBrokers } = configuration;
  if (kafkaBrokers !== undefined) {
    const spill = await openSpillingKafka({ ...configuration, kafkaBrokers }, logger, shutdown);
    registerSpillMetrics(metrics, () => spill.spillState());
    return { log: spill, local: null };
  }
  const log = await openLocalEventLog({
    file: folder.eventLog,
    onWarning: (message) => logger.warn(message),
  });
  shutdown.onRelease("the event log", () => log.close());
  return { log, local: log };
}
