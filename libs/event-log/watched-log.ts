import { EventLogError } from "./errors.ts";
import type { Backlog, EventBatch, EventConsumer, EventLog, PartitionWorker } from "./port.ts";

export interface WatchOptions {
  /** A log that was idle for this long is probed, in milliseconds. Default 5,000. */
  readonly idleMs?: number;
  /** An append or a probe that takes longer counts as failed, in milliseconds. Default 5,000. */
  readonly slowMs?: number;
}

/** A log that knows whether it accepts events. */
export interface WatchedLog extends EventLog {
  /** According to the last append, or the last probe of an idle log. True before the first has ended. */
  readonly isWritable: boolean;
}

/** Watches the results of appends, and probes an idle log. Closing it closes the log. */
export function watchLog(log: EventLog, options: WatchOptions = {}): WatchedLog {
  return new Watch(log, { idleMs: 5_000, slowMs: 5_000, ...options });
}

class Watch implements WatchedLog {
  readonly #log: EventLog;
  readonly #options: Required<WatchOptions>;
  readonly #timer: NodeJS.Timeout;
  /** The start of each append and probe in progress, oldest first. */
  readonly #inProgress = new Set<{ readonly begunAt: number }>();
  #hasSucceeded = true;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(log: EventLog, options: Required<WatchOptions>) {
    this.#log = log;
    this.#options = options;
    this.#timer = setInterval(() => this.#probeIfIdle(), options.idleMs).unref();
  }

  get isWritable(): boolean {
    const [oldest] = this.#inProgress;
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

  backlog(): Promise<Backlog> {
    return this.#log.backlog();
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#log.close();
  }

  #probeIfIdle(): void {
    const isIdle = performance.now() - this.#endedAt >= this.#options.idleMs;
    if (isIdle && this.#inProgress.size === 0) this.probe().catch(() => undefined);
  }

  async #watch(work: Promise<void>): Promise<void> {
    const watched = { begunAt: performance.now() };
    this.#inProgress.add(watched);
    try {
      await work;
      this.#hasSucceeded = true;
    } catch (error) {
      // One batch that is too large says nothing about the next.
      const isRefusal = error instanceof EventLogError && error.code === "REFUSED";
      if (!isRefusal) this.#hasSucceeded = false;
      throw error;
    } finally {
      this.#inProgress.delete(watched);
      this.#endedAt = performance.now();
    }
  }
}
