import { Gauge, type Registry } from "prom-client";
import { SingleFlight, within } from "#libs/async/index.ts";
import type { Backlog, EventLog, PartitionBacklog } from "./port.ts";

/** Under what the processes of one serving service wait for each other's metrics (`services/serving/start/workers.ts`). */
const ANSWERS_WITHIN_MS = 800;

/**
 * Registers gauges of the log's backlog, read from the log at each scrape: they say the same in every process with a connection
 * to it, since whenever that runs, and also while no ingestion does. While the log does not answer they have no samples.
 */
export function measureBacklog(
  log: Pick<EventLog, "backlog">,
  registry: Registry,
  now: () => number = Date.now,
): void {
  // The gauges of one scrape are collected at the same time, and share one reading.
  const reading = new SingleFlight<Backlog>();
  const read = () =>
    within(
      ANSWERS_WITHIN_MS,
      "reading the backlog",
      reading.run("backlog", () => log.backlog()),
    ).catch(() => null);
  const gauge = (name: string, help: string, sampleOf: (backlog: PartitionBacklog) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ["partition"],
      aggregator: "max",
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.reset();
        for (const one of backlog?.partitions ?? []) {
          const value = sampleOf(one);
          if (value !== null) this.set({ partition: one.partition }, value);
        }
      },
    });

  gauge(
    "placard_event_log_waiting_events",
    "Events in the log that are not in the stats store yet",
    ({ events }) => events,
  );
  gauge(
    "placard_event_log_oldest_age_seconds",
    "Age in the log of the oldest event that is not in the stats store yet; 0 if none waits",
    ({ events, oldestAt }) => {
      if (events === 0) return 0;
      return oldestAt === null ? null : Math.max(0, (now() - oldestAt) / 1000);
    },
  );
  new Gauge({
    name: "placard_event_log_retention_seconds",
    help: "Age at which the log deletes events, counted or not; absent if it never does",
    aggregator: "min",
    registers: [registry],
    async collect() {
      const backlog = await read();
      const retentionMs = backlog?.retentionMs ?? null;
      if (retentionMs === null) this.remove();
      else this.set(retentionMs / 1000);
    },
  });
}
