import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { EVENT_KINDS, type EventKind, VERDICTS, type Verdict } from "#libs/domain/event.ts";
import { createAnswerCounts } from "./answer-counts.ts";

/** Why an event was answered with false or with 503 and is stored nowhere. */
export const REFUSALS = ["unknown_ad", "limited", "overloaded", "failed"] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The steps of storing a batch that can fail. */
export type BatchStep = "salt" | "judge" | "append";

export type ServingMetrics = ReturnType<typeof createServingMetrics>;

/**
 * What serving and tracking count. Requests are not measured one by one as other services do (`libs/http`), since that
 * costs more than a ready answer. Counters are bound to their labels here, once, because looking labels up costs more
 * than the counting.
 */
export function createServingMetrics(registry: Registry) {
  const registers = [registry];
  const events = new Counter({
    name: "tracking_events_total",
    help: "Events stored, by kind and verdict",
    labelNames: ["kind", "verdict"],
    registers,
  });
  const refusals = new Counter({
    name: "tracking_refused_total",
    help: "Events stored nowhere, by kind and reason",
    labelNames: ["kind", "reason"],
    registers,
  });
  const lookups = new Counter({
    name: "serving_response_cache_total",
    help: "Answers for ads, by whether they were ready",
    labelNames: ["result"],
    registers,
  });
  const hits = lookups.labels("hit");
  const misses = lookups.labels("miss");

  return {
    countAnswersOf: createAnswerCounts(registry),
    waitSeconds: new Histogram({
      name: "serving_wait_seconds",
      help: "Time that requests for ads waited for a snapshot that was not in memory; all others wait for nothing",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    countStored: bind(VERDICTS, (kind: EventKind, verdict: Verdict) => events.labels(kind, verdict)),
    countRefused: bind(REFUSALS, (kind: EventKind, reason: Refusal) => refusals.labels(kind, reason)),
    countLookup: (isHit: boolean) => (isHit ? hits : misses).inc(),
    batchEvents: new Histogram({
      name: "tracking_batch_events",
      help: "Events in a batch",
      buckets: [1, 2, 5, 10, 25, 50, 100, 200, 350, 500],
      registers,
    }),
    batchSeconds: new Histogram({
      name: "tracking_batch_seconds",
      help: "Time to judge and store a batch",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    batchFailures: new Counter({
      name: "tracking_batch_failures_total",
      help: "Batches that could not be stored, by the step that failed",
      labelNames: ["step"],
      registers,
    }),
    snapshotFailures: new Counter({
      name: "serving_snapshot_failures_total",
      help: "Failed attempts to read or check snapshots, by what was asked",
      labelNames: ["from"],
      registers,
    }),
    snapshotsStale: new Gauge({
      name: "serving_snapshots_stale",
      help: "1 while snapshots are served whose version could not be checked",
      aggregator: "max",
      registers,
    }),
    snapshotsConfirmed: new Gauge({
      name: "serving_snapshots_confirmed_timestamp_seconds",
      help: "When all snapshots held were last known to be the newest",
      aggregator: "min",
      registers,
    }),
  };
}

/** The counters of each kind and label, made before the first event. */
function bind<Label>(
  labels: readonly Label[],
  make: (kind: EventKind, label: Label) => { inc(events: number): void },
) {
  const byKind = new Map(
    EVENT_KINDS.map((kind) => [kind, new Map(labels.map((label) => [label, make(kind, label)]))]),
  );
  return (kind: EventKind, label: Label, events = 1): void => byKind.get(kind)?.get(label)?.inc(events);
}
