import { performance } from "node:perf_hooks";

export interface TrackingBatchOptions<Entry, Outcome> {
  /** Stores a batch and returns the outcome of each entry, in order. Rejects when none of it may be acknowledged. */
  readonly store: (batch: readonly Entry[]) => Promise<readonly Outcome[]>;
  /** Called once per entry that was added; with `failed` when its batch was rejected. */
  readonly answer: (entry: Entry, outcome: Outcome | "failed") => void;
  /** Entries in a batch at most. Default 500. */
  readonly maxEntries?: number;
  /** A batch gathers entries for `lingerMs * utilization()` milliseconds at most while others are in progress. Default 12. */
  readonly lingerMs?: number;
  /** Utilization of the event loop, 0 to 1. Default 1. */
  readonly utilization?: () => number;
  /** Batches in progress at most: one on the disk, one behind it. Default 2. */
  readonly maxInProgress?: number;
  /** Entries that wait for a batch at most. Each holds a request open. Default 10,000. */
  readonly maxWaiting?: number;
}

/**
 * - `empty`: nothing waits
 * - `leaving`: no batch is in progress. What waits leaves at the end of this round of the event loop, with all that arrives
 *   until then
 * - `gathering`: batches are in progress; what waits leaves after `lingerMs` or as a full batch, so that under load
 *   batches are large. An idle event loop shortens the wait
 * - `blocked`: `maxInProgress` batches are in progress; what waits leaves when one of them ends
 * - `closed`: accepts nothing more; what waits still leaves
 */
type State = "empty" | "leaving" | "gathering" | "blocked" | "closed";

/**
 * Gathers entries into batches, so that one write serves many requests. It adapts by itself: the slower the store or the
 * higher the load, the larger the batches; a lone entry leaves when the round ends.
 *
 *     empty ──add, none in progress──▶ leaving ───round ends───┐
 *       │                                                      ▼
 *       ├──add, some in progress──▶ gathering ──late/full────▶ (batch leaves) ──▶ empty, gathering or blocked
 *       │                                                      ▲
 *       └──add, no slot free──▶ blocked ───────one ends────────┘
 */
export class TrackingBatch<Entry, Outcome> {
  readonly #options: Required<TrackingBatchOptions<Entry, Outcome>>;
  #state: State = "empty";
  #waiting: Entry[] = [];
  #inProgress = 0;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #drained: (() => void) | undefined;

  constructor(options: TrackingBatchOptions<Entry, Outcome>) {
    this.#options = {
      maxEntries: 500,
      lingerMs: 12,
      utilization: () => 1,
      maxInProgress: 2,
      maxWaiting: 10_000,
      ...options,
    };
  }

  /** Adds an entry, which is answered later; false when too many wait or it is closed. */
  add(entry: Entry): boolean {
    if (this.#state === "closed" || this.#waiting.length >= this.#options.maxWaiting) return false;
    this.#waiting.push(entry);
    if (this.#state === "empty") this.#wait();
    else if (this.#state === "gathering" && this.#waiting.length >= this.#options.maxEntries) this.#leave();
    return true;
  }

  /** Accepts nothing more, and resolves when every entry has been answered. */
  async close(): Promise<void> {
    this.#enter("closed");
    this.#leave();
    if (this.#inProgress === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    await promise;
  }

  /** The only place where the state changes. `leaving` and `gathering` have a timer of their own. */
  #enter(state: State): void {
    clearImmediate(this.#immediate);
    clearTimeout(this.#timer);
    this.#state = state;
    if (state === "leaving") this.#immediate = setImmediate(() => this.#leave());
    if (state === "gathering") {
      const { lingerMs, utilization } = this.#options;
      this.#timer = setTimeout(() => this.#leave(), lingerMs * utilization());
    }
  }

  /** Enters the state for what waits now. */
  #wait(): void {
    if (this.#state === "closed") return;
    if (this.#waiting.length === 0) this.#enter("empty");
    else if (this.#inProgress === 0) this.#enter("leaving");
    else this.#enter(this.#inProgress < this.#options.maxInProgress ? "gathering" : "blocked");
  }

  /** Sends batches while there are entries and free slots. */
  #leave(): void {
    const { maxEntries, maxInProgress } = this.#options;
    while (this.#waiting.length > 0 && this.#inProgress < maxInProgress) {
      const batch = this.#waiting;
      this.#waiting = batch.length > maxEntries ? batch.splice(maxEntries) : [];
      this.#inProgress += 1;
      void this.#send(batch);
    }
    this.#wait();
  }

  async #send(batch: readonly Entry[]): Promise<void> {
    const { store, answer } = this.#options;
    let outcomes: readonly Outcome[] | undefined;
    try {
      outcomes = await store(batch);
    } catch {
      // `store` has reported why.
    }
    this.#inProgress -= 1;
    // Before the answers, so that the next batch is stored while they are written.
    if (this.#state === "blocked" || this.#state === "closed") this.#leave();
    let next = 0;
    for (const entry of batch) answer(entry, outcomes?.[next++] ?? "failed");
    if (this.#inProgress === 0 && this.#waiting.length === 0) this.#drained?.();
  }
}

/** Utilization over a shorter time is noise. */
const MIN_INTERVAL_MS = 100;

/** Milliseconds since the event loop started. */
interface LoopTimes {
  readonly active: number;
  readonly idle: number;
}

/**
 * Creates the function that returns the recent utilization of the event loop, from 0 to 1; 1 until it is known.
 * `read` is https://nodejs.org/api/perf_hooks.html#performanceeventlooputilizationutilization1-utilization2
 */
export function createLoopUtilization(
  read: () => LoopTimes = () => performance.eventLoopUtilization(),
): () => number {
  let last = read();
  let utilization = 1;
  return () => {
    const now = read();
    const active = now.active - last.active;
    const all = active + now.idle - last.idle;
    if (all < MIN_INTERVAL_MS) return utilization;
    last = now;
    utilization = active / all;
    return utilization;
  };
}
