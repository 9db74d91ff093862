import { Counter, Gauge, type Registry } from "prom-client";
import { EVENT_KINDS } from "#libs/domain/event.ts";
import type { JudgedCount } from "#libs/judge/index.ts";

/** The verdicts that an event gets because of others. */
const JUDGED = ["duplicate", "limited"] as const;

export interface IngestionMetrics {
  /** A range was committed, with its events in the store and its refused lines in the dead letters. */
  ingested(events: number, refused: number, judged: readonly JudgedCount[]): void;
  /** Events that the log had twice were left out of what was committed. */
  repeated(events: number): void;
  /** Removes the metrics from the registry, so that ingestion can start again in this process. */
  remove(): void;
}

/**
 * Registers what this process has ingested since its start, and `failingMs`: for how long a partition of its has failed. What waits
 * is told by the log itself (`measureBacklog`).
 */
export function createIngestionMetrics(registry: Registry, failingMs: () => number): IngestionMetrics {
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
  const uncounted = new Counter({
    name: named("judged_events_total"),
    help: "Events that were inserted and do not count because of others, by kind and verdict: duplicate or limited.",
    labelNames: ["kind", "verdict"],
    registers,
  });
  for (const kind of EVENT_KINDS) for (const verdict of JUDGED) uncounted.labels(kind, verdict);
  const repeated = new Counter({
    name: named("repeated_events_total"),
    help: "Events that came twice, in repeated requests or after an append with an unclear result, and were left out.",
    registers,
  });
  new Gauge({
    name: named("failing_seconds"),
    help: "Seconds since ingestion of a partition began to fail; 0 while it succeeds.",
    registers,
    collect() {
      this.set(failingMs() / 1000);
    },
  });
  return {
    ingested(inserted, refusedLines, judged) {
      for (const { kind, verdict } of judged) uncounted.inc({ kind, verdict });
      events.inc(inserted);
      refused.inc(refusedLines);
      ranges.inc();
    },
    repeated(events) {
      repeated.inc(events);
    },
    remove() {
      for (const name of names) registry.removeSingleMetric(name);
    },
  };
}
