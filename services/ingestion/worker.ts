import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { type EventLog, EventLogError, type OffsetRange, type Partition } from "#libs/event-log/index.ts";
import type { Judge } from "#libs/judge/index.ts";
import {
  type IngestionLimits,
  type IngestionObserver,
  type IngestionStep,
  type IngestionStore,
  ingestPartition,
} from "./exactly-once.ts";
import { createIngestionMetrics } from "./metrics.ts";
import { BLOCKED_AFTER_MS } from "./persistent.ts";

const DEFAULTS: IngestionLimits = {
  maxWaitMs: 1000,
  // With the insert it stays under a second. Each range is a part in the store, and merging many small parts costs more
  // than inserting them.
  lingerMs: 600,
  maxEvents: 100_000,
  maxBytes: 32 * 1024 * 1024,
  firstPauseMs: 100,
};
/** The store inserts at most this many rows as one block, and a token covers one block. */
const MAX_EVENTS = 100_000;

export interface IngestionOptions extends Partial<IngestionLimits> {
  readonly log: EventLog;
  readonly store: IngestionStore;
  readonly judge: Judge;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Called and awaited at each step; tests crash here. */
  readonly onStep?: (step: IngestionStep, range: OffsetRange) => void | Promise<void>;
}

export interface Ingestion {
  /** Whether a partition has failed for a minute or more: its events wait, and others may be counted. */
  isBlocked(): boolean;
  close(): Promise<void>;
}

/**
 * Moves events from the log into the stats store, exactly once, until it is closed. An event is in the store about
 * `lingerMs` after it was appended (default 600). Closing finishes the current insert; if the store does not accept it any
 * more, the next start repeats it.
 */
export async function startIngestion(options: IngestionOptions): Promise<Ingestion> {
  const { log, store, judge, logger, registry } = options;
  const limits = limitsOf(options);
  /** Since when each partition fails, by the clock of `performance.now()`; no longer once it is taken from this worker. */
  const failing = new Map<string, { readonly since: number; readonly signal: AbortSignal }>();
  const failingMs = () => {
    const ours = [...failing.values()].filter(({ signal }) => !signal.aborted);
    return Math.max(0, ...ours.map(({ since }) => performance.now() - since));
  };
  const metrics = createIngestionMetrics(registry, failingMs);
  const observer: Pick<IngestionObserver, "onIngested" | "onRepeated" | "onRangeGone"> = {
    onIngested: (events, refused, judged) => {
      metrics.ingested(events, refused, judged);
      if (refused > 0)
        logger.error({ refused }, "lines that the stats store refused went to the dead letters");
    },
    onRepeated: (events) => metrics.repeated(events),
    onRangeGone: ({ first, last }, error) =>
      logger.error(
        { err: error, first: String(first), last: String(last) },
        "the event log has lost a range",
      ),
  };

  async function work(partition: Partition): Promise<void> {
    const partitionLogger = logger.child({ partition: partition.id });
    const { signal } = partition;
    const noteFailure = () => {
      if (failing.get(partition.id)?.signal === signal) return;
      failing.set(partition.id, { since: performance.now(), signal });
    };
    try {
      await ingestPartition(partition, store, judge, limits, {
        ...observer,
        onStep(step, range) {
          if (step === "committed") failing.delete(partition.id);
          return options.onStep?.(step, range);
        },
        onTrouble(err) {
          noteFailure();
          partitionLogger.warn({ err }, "ingestion fails and tries again");
        },
        onBlocked(err) {
          partitionLogger.error({ err }, "ingestion is blocked: events wait and are not counted");
        },
        onRecovery(awayMs) {
          failing.delete(partition.id);
          partitionLogger.info({ awayMs: Math.round(awayMs) }, "ingestion continues");
        },
      });
    } catch (error) {
      if (error instanceof EventLogError && error.code === "PARTITION_LOST") {
        partitionLogger.info("another worker owns the partition");
      } else if (!signal.aborted) {
        noteFailure();
        partitionLogger.error({ err: error }, "ingestion of the partition failed");
        throw error;
      }
    }
    // It is not this worker's any more.
    failing.delete(partition.id);
  }

  try {
    const consumer = await log.consume(work);
    return {
      isBlocked: () => failingMs() >= BLOCKED_AFTER_MS,
      async close() {
        await consumer.close();
        metrics.remove();
      },
    };
  } catch (error) {
    metrics.remove();
    throw error;
  }
}

function limitsOf(options: IngestionOptions): IngestionLimits {
  return {
    maxWaitMs: options.maxWaitMs ?? DEFAULTS.maxWaitMs,
    lingerMs: options.lingerMs ?? DEFAULTS.lingerMs,
    maxEvents: Math.min(options.maxEvents ?? DEFAULTS.maxEvents, MAX_EVENTS),
    maxBytes: options.maxBytes ?? DEFAULTS.maxBytes,
    firstPauseMs: options.firstPauseMs ?? DEFAULTS.firstPauseMs,
  };
}
