import { Counter, Gauge, type Registry } from "prom-client";
import type { EventLog } from "#libs/event-log/index.ts";

export interface IngestionMetrics {
  /** A range was committed, with its events in the store and its refused lines in the dead letters. */
  ingested(events: number, refused: number): void;
  /** Events that the log had twice were left out of what was committed. */
  repeated(events: number): void;
  /** Removes the metrics from the registry, so that ingestion can start again in this process. */
  remove(): void;
}

/**
 * Registers the metrics of ingestion. Ages are in seconds; each scrape reads the lag from the log. `failingMs`: for how long a partition
 * has failed.
 */
export function createIngestionMetrics(
  registry: Registry,
  log: Pick<EventLog, "lag">,
  failingMs: () => number,
): IngestionMetrics {
  const registers = [registry];
  const names: string[] = [];
  const named = (suffix: string) => {
    const name = `placard_ingestion_${suffix}`;
    names.push(name);
    return name;
  };
  const events = new Counter({
    name: named("events_total"),
    help: "Events that were inserted into the stats store and committed.",
    registers,
  });
  const ranges = new Counter({
    name: named("ranges_total"),
    help: "Ranges that were inserted into the stats store and committed.",
    registers,
  });
  const refused = new Counter({
    name: named("refused_lines_total"),
    help: "Lines that the stats store refused and that went to the dead letters.",
    registers,
  });
  const repeated = new Counter({
    name: named("repeated_events_total"),
    help: "Events that came twice, in repeated requests or after an append with an unclear result, and were left out.",
    registers,
  });
  new Gauge({
    name: named("lag_events"),
    help: "Events in the log that are not committed yet; NaN while the log does not respond.",
    registers,
    async collect() {
      this.set(await log.lag().catch(() => Number.NaN));
    },
  });
  new Gauge({
    name: named("failing_seconds"),
    help: "For how long ingestion of a partition has failed and tried again; 0 while it succeeds.",
    registers,
    collect() {
      this.set(failingMs() / 1000);
    },
  });
  let committedAt = performance.now();
  new Gauge({
    name: named("last_commit_age_seconds"),
    help: "Time since the last commit, or since the start.",
    registers,
    collect() {
      this.set((performance.now() - committedAt) / 1000);
    },
  });
  return {
    ingested(inserted, refusedLines) {
      events.inc(inserted);
      refused.inc(refusedLines);
      ranges.inc();
      committedAt = performance.now();
    },
    repeated(events) {
      repeated.inc(events);
      committedAt = performance.now();
    },
    remove() {
      for (const name of names) registry.removeSingleMetric(name);
    },
  };
}
