import { EventLogError } from "./errors.ts";
import type { EventBatch, EventConsumer, EventLog, PartitionWorker } from "./port.ts";

export interface WatchOptions {
  /** A log that was idle for this long is probed, in milliseconds. Default 5,000. */
  readonly idleMs?: number;
  /** An append or a probe that takes longer counts as failed, in milliseconds. Default 5,000. */
  readonly slowMs?: number;
}

/** A log of which one can tell whether it takes events. */
export interface WatchedLog extends EventLog {
  /** By the last append, or the last probe of a log that is idle. True until the first has ended. */
  readonly isWritable: boolean;
}

/** Watches what becomes of appends, and probes the log while there are none. Closing it closes the log. */
export function watchLog(log: EventLog, options: WatchOptions = {}): WatchedLog {
  return new Watch(log, { idleMs: 5_000, slowMs: 5_000, ...options });
}

class Watch implements WatchedLog {
  readonly #log: EventLog;
  readonly #options: Required<WatchOptions>;
  readonly #timer: NodeJS.Timeout;
  /** When each that has not ended was begun, oldest first. */
  readonly #underWay = new Set<{ readonly begunAt: number }>();
  #hasSucceeded = true;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(log: EventLog, options: Required<WatchOptions>) {
    this.#log = log;
    this.#options = options;
    this.#timer = setInterval(() => this.#probeIfIdle(), options.idleMs).unref();
  }

  get isWritable(): boolean {
    const [oldest] = this.#underWay;
    const isSlow = oldest !== undefined && performance.now() - oldest.begunAt > this.#options.slowMs;
    return this.#hasSucceeded && !isSlow;
  }

  append(batch: EventBatch): Promise<void> {
    return this.#watch(this.#log.append(batch));
  }

  probe(): Promise<void> {
    return this.#watch(this.#log.probe());
  }

  consume(worker: PartitionWorker): Promise<EventConsumer> {
    return this.#log.consume(worker);
  }

  lag(): Promise<number> {
    return this.#log.lag();
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#log.close();
  }

  #probeIfIdle(): void {
    const isIdle = performance.now() - this.#endedAt >= this.#options.idleMs;
    if (isIdle && this.#underWay.size === 0) this.probe().catch(() => undefined);
  }

  async #watch(work: Promise<void>): Promise<void> {
    const watched = { begunAt: performance.now() };
    this.#underWay.add(watched);
    try {
      await work;
      this.#hasSucceeded = true;
    } catch (error) {
      // One batch that is too large says nothing of the next.
      const isOfTheBatch = error instanceof EventLogError && error.code === "REFUSED";
      if (!isOfTheBatch) this.#hasSucceeded = false;
      throw error;
    } finally {
      this.#underWay.delete(watched);
      this.#endedAt = performance.now();
    }
  }
}
