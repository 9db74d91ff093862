import { Counter, Gauge, type Registry } from "prom-client";
import type { EventLog } from "#libs/event-log/port.ts";

export interface IngestionMetrics {
  /** A range was committed: its events in the store, and its lines that were put aside. */
  ingested(events: number, refused: number): void;
  /** Events that the log had a second time were stepped over. */
  repeated(events: number): void;
  /** Takes the metrics out of the registry, so that ingestion can be started again in this process. */
  remove(): void;
}

/** Registers what ingestion counts. Ages are in seconds; the lag is asked of the log at each scrape. */
export function createIngestionMetrics(registry: Registry, log: Pick<EventLog, "lag">): IngestionMetrics {
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
    help: "Lines that the stats store refused and that were put aside.",
    registers,
  });
  const repeated = new Counter({
    name: named("repeated_events_total"),
    help: "Events that came a second time, after an append with an unclear end, and were dropped.",
    registers,
  });
  new Gauge({
    name: named("lag_events"),
    help: "Events in the log that are not committed yet; NaN while the log does not answer.",
    registers,
    async collect() {
      this.set(await log.lag().catch(() => Number.NaN));
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
    ingested(inserted, putAside) {
      events.inc(inserted);
      refused.inc(putAside);
      ranges.inc();
      committedAt = performance.now();
    },
    repeated(events) {
      repeated.inc(events);
    },
    remove() {
      for (const name of names) registry.removeSingleMetric(name);
    },
  };
}
