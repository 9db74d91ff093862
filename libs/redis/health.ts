import { Cluster } from "ioredis";
import { pause, TimeoutError } from "#libs/async/index.ts";
import type { RedisClient } from "./connection.ts";
import { spreadTags } from "./hash-tags.ts";

/** Between two probes of a server that did not answer in time. */
const PROBED_EVERY_MS = 100;
const PROBE_LIFETIME_MS = 10_000;
/** Keys that are probed in a cluster: its nodes have some of them each. */
const CLUSTER_PROBES = 24;

export interface RedisHealthOptions {
  readonly redis: RedisClient;
  /** How long callers wait for an answer, in milliseconds. */
  readonly withinMs: number;
  /** The prefix of keys that probes write. Default `placard`. */
  readonly prefix?: string;
}

/**
 * Keeps callers from waiting for a server that is frozen or slow: the first call that is not answered in time makes it
 * away, and calls are rejected at once until a probe is answered in time.
 */
export class RedisHealth {
  readonly #options: RedisHealthOptions;
  readonly #closed = new AbortController();
  readonly #probes: readonly string[];
  #isAway = false;

  constructor(options: RedisHealthOptions) {
    const { redis, prefix = "placard" } = options;
    const tags = redis instanceof Cluster ? spreadTags(CLUSTER_PROBES) : ["judge"];
    this.#probes = tags.map((tag) => `${prefix}:{${tag}}:probe`);
    this.#options = options;
  }

  /** Whether calls are rejected without being tried. */
  get isAway(): boolean {
    return this.#isAway || this.#options.redis.status !== "ready";
  }

  /**
   * Rejects with `NotSentError` while the server is away. Rejects with `TimeoutError` when it does not answer in time: the call may
   * still take effect. A call that takes longer by its nature has its own `withinMs`.
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

  /** Whether the server, or every node of the cluster, takes writes in time. Never rejects. */
  async isWritable(): Promise<boolean> {
    const { redis, withinMs } = this.#options;
    const writing = this.#probes.map((key) => redis.set(key, "", "PX", PROBE_LIFETIME_MS));
    return await isDone(answered(withinMs, Promise.all(writing)));
  }

  close(): void {
    this.#closed.abort();
  }

  async #probeUntilBack(): Promise<void> {
    if (this.#isAway) return;
    this.#isAway = true;
    const { redis, withinMs } = this.#options;
    do {
      await pause(PROBED_EVERY_MS, this.#closed.signal);
    } while (!this.#closed.signal.aborted && !(await this.#answers(redis, withinMs)));
    this.#isAway = false;
  }

  /** Reads only: one that takes no writes rejects calls by itself. */
  #answers(redis: RedisClient, withinMs: number): Promise<boolean> {
    return isDone(answered(withinMs, Promise.all(this.#probes.map((key) => redis.exists(key)))));
  }
}

function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
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
