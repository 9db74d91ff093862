import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import {
  EVENT_KINDS,
  type EventKind,
  type RequestVerdict,
  VERDICTS_OF_REQUESTS,
} from "#libs/domain/event.ts";

/** Why an event was answered with false or 503 and not stored. */
const REFUSALS = ["unknown_ad", "limited", "overloaded", "failed"] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Counts an answer of one route, by its status. */
export type CountAnswer = (status: number) => void;

/** The steps of storing a batch that can fail. */
export type BatchStep = "salt" | "append";

export type ServingMetrics = ReturnType<typeof createServingMetrics>;

/**
 * The metrics of serving and tracking. Requests are not timed one by one as in other services (`libs/http`), which would
 * cost more than a cached answer. Counters are bound to their labels here, once, because looking labels up costs more
 * than counting.
 */
export function createServingMetrics(registry: Registry) {
  const registers = [registry];
  const events = new Counter({
    name: "placard_tracking_events_total",
    help: "Events stored, by kind and the verdict of the request alone: ingestion finds duplicates among the valid ones",
    labelNames: ["kind", "verdict"],
    registers,
  });
  const refusals = new Counter({
    name: "placard_tracking_refused_total",
    help: "Events not stored, by kind and reason",
    labelNames: ["kind", "reason"],
    registers,
  });
  const lookups = new Counter({
    name: "placard_serving_response_cache_total",
    help: "Answers to requests for ads, by whether they were cached",
    labelNames: ["result"],
    registers,
  });
  const hits = lookups.labels("hit");
  const misses = lookups.labels("miss");

  const snapshotsConfirmed = new Gauge({
    name: "placard_serving_snapshots_confirmed_timestamp_seconds",
    help: "When all cached snapshots were last known to be the newest; absent before the first check",
    aggregator: "min",
    registers,
  });
  // prom-client begins with 0, which a dashboard would show as half a century ago.
  snapshotsConfirmed.remove();

  return {
    countAnswersOf: createAnswerCounts(registry),
    waitSeconds: new Histogram({
      name: "placard_serving_wait_seconds",
      help: "Time that requests for ads waited for a snapshot that was not in memory",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    countStored: bind(VERDICTS_OF_REQUESTS, (kind: EventKind, verdict: RequestVerdict) =>
      events.labels(kind, verdict),
    ),
    countRefused: bind(REFUSALS, (kind: EventKind, reason: Refusal) => refusals.labels(kind, reason)),
    countLookup: (isHit: boolean) => (isHit ? hits : misses).inc(),
    batchEvents: new Histogram({
      name: "placard_tracking_batch_events",
      help: "Events in a batch",
      buckets: [1, 2, 5, 10, 25, 50, 100, 200, 350, 500],
      registers,
    }),
    batchSeconds: new Histogram({
      name: "placard_tracking_batch_seconds",
      help: "Time to store a batch",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    batchFailures: new Counter({
      name: "placard_tracking_batch_failures_total",
      help: "Batches that could not be stored, by the step that failed",
      labelNames: ["step"],
      registers,
    }),
    snapshotFailures: new Counter({
      name: "placard_serving_snapshot_failures_total",
      help: "Failed attempts to read or check snapshots, by where: the store or its source",
      labelNames: ["from"],
      registers,
    }),
    snapshotsStale: new Gauge({
      name: "placard_serving_snapshots_stale",
      help: "1 while snapshots are served whose version could not be checked",
      aggregator: "max",
      registers,
    }),
    snapshotsConfirmed,
  };
}

/** Creates the counters of each kind and label before the first event. */
function bind<Label>(
  labels: readonly Label[],
  make: (kind: EventKind, label: Label) => { inc(events: number): void },
) {
  const byKind = new Map(
    EVENT_KINDS.map((kind) => [kind, new Map(labels.map((label) => [label, make(kind, label)]))]),
  );
  return (kind: EventKind, label: Label, events = 1): void => byKind.get(kind)?.get(label)?.inc(events);
}

/**
 * Counts answers by route and status in a plain map, which is added to the registry when it is scraped: a look-up of labels
 * would take a fiftieth of the time of each answer.
 */
function createAnswerCounts(registry: Registry): (route: string) => CountAnswer {
  const routes = new Map<string, { pending: Map<number, number>; count: CountAnswer }>();
  new Counter({
    name: "placard_serving_answers_total",
    help: "Answers of the public endpoints, by route and status",
    labelNames: ["route", "status"],
    registers: [registry],
    collect() {
      for (const [route, { pending }] of routes) {
        for (const [status, answers] of pending) this.inc({ route, status }, answers);
        pending.clear();
      }
    },
  });

  return (route) => {
    const known = routes.get(route);
    if (known !== undefined) return known.count;
    const pending = new Map<number, number>();
    const count = (status: number) => {
      pending.set(status, (pending.get(status) ?? 0) + 1);
    };
    routes.set(route, { pending, count });
    return count;
  };
}
