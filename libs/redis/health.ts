import type { Redis } from "ioredis";
import { pause, TimeoutError } from "#libs/async/index.ts";

/** Between two probes of a server that did not answer in time. */
const PROBED_EVERY_MS = 100;
const PROBE_LIFETIME_MS = 10_000;

export interface RedisHealthOptions {
  readonly redis: Redis;
  /** How long callers wait for an answer, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Keeps callers from waiting for a server that is frozen or slow: the first call that is not answered in time makes it
 * away, and calls are rejected at once until a probe is answered in time.
 */
export class RedisHealth {
  readonly #options: RedisHealthOptions;
  readonly #closed = new AbortController();
  #isAway = false;

  constructor(options: RedisHealthOptions) {
    this.#options = options;
  }

  /** Whether a call would be tried. */
  get isAway(): boolean {
    return this.#isAway || this.#options.redis.status !== "ready";
  }

  /**
   * Rejects with `NotSentError` while the server is away, and when it does not answer in time: then the call may still take
   * effect. A call that takes longer by its nature has its own `withinMs`.
   */
  async call<T>(work: () => Promise<T>, withinMs = this.#options.withinMs): Promise<T> {
    if (this.isAway) throw new NotSentError("Redis is away.");
    try {
      return await answered(withinMs, work());
    } catch (error) {
      if (error instanceof TimeoutError) void this.#probeUntilBack();
      throw error;
    }
  }

  /** Whether the server takes writes, in time. Never rejects. */
  async isWritable(key: string): Promise<boolean> {
    const { redis, withinMs } = this.#options;
    const writing = redis.set(key, "", "PX", PROBE_LIFETIME_MS);
    return await answered(withinMs, writing).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.#closed.abort();
  }

  async #probeUntilBack(): Promise<void> {
    if (this.#isAway) return;
    this.#isAway = true;
    const { redis, withinMs } = this.#options;
    while (!this.#closed.signal.aborted) {
      await pause(PROBED_EVERY_MS, this.#closed.signal);
      const isAnswered = await answered(withinMs, redis.ping()).then(
        () => true,
        () => false,
      );
      if (isAnswered) break;
    }
    this.#isAway = false;
  }
}

/** The call was never sent, so it has no effect. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
}

/** Rejects with `TimeoutError` without an answer in time. An answer that has arrived counts even where this process was busy. */
function answered<T>(withinMs: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(new TimeoutError(`Redis did not answer within ${withinMs} ms.`));
  // Timers come before what has arrived on sockets, and this comes after it.
  const timer = setTimeout(() => setImmediate(giveUp), withinMs);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
