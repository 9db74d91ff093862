/** How large batches get and how long they are gathered. */
export interface TrackingBatchOptions<Entry, Outcome> {
  /** Stores a batch and gives the outcome of each entry, in order. Rejects when nothing of it may be acknowledged. */
  readonly store: (batch: readonly Entry[]) => Promise<readonly Outcome[]>;
  /** Called once for each entry that was added; `failed` when its batch was rejected. */
  readonly answer: (entry: Entry, outcome: Outcome | "failed") => void;
  /** Entries in a batch at most. Default 500. */
  readonly maxEntries?: number;
  /** How long a batch is gathered while others are under way and there is no time to spare, in milliseconds. Default 12. */
  readonly lingerMs?: number;
  /** Share of the time in which there is none to spare, 0 to 1: a batch is gathered for so much less. Default 1. */
  readonly utilization?: () => number;
  /** Batches under way at most: one on the disk, one behind it. Default 2. */
  readonly maxUnderWay?: number;
  /** Entries that wait for a batch at most. Each holds a request open. Default 10,000. */
  readonly maxWaiting?: number;
}

/**
 * - `empty`: nothing waits
 * - `leaving`: nothing is under way, so what waits leaves at the end of this round of the event loop, with whatever
 *   else has arrived in it
 * - `gathering`: batches are under way; what waits leaves after `lingerMs` or as a full batch, so that under load a
 *   batch is worth its trip; the sooner, the more time there is to spare for trips
 * - `blocked`: as many batches are under way as may be; what waits leaves when one comes back
 * - `closed`: takes nothing more; what waits still leaves
 */
type State = "empty" | "leaving" | "gathering" | "blocked" | "closed";

/**
 * Gathers entries into batches, so that one trip to the store serves many requests. It adapts by itself: the slower
 * the store or the higher the load, the larger the batches; a lone entry leaves at once.
 *
 *     empty ──add, none under way──▶ leaving ────round ends────┐
 *       │                                                      ▼
 *       ├──add, some under way──▶ gathering ──late/full──────▶ (batch leaves) ──▶ empty, gathering or blocked
 *       │                                                      ▲
 *       └──add, no slot free──▶ blocked ───────back────────────┘
 */
export class TrackingBatch<Entry, Outcome> {
  readonly #options: Required<TrackingBatchOptions<Entry, Outcome>>;
  #state: State = "empty";
  #waiting: Entry[] = [];
  #underWay = 0;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #drained: (() => void) | undefined;

  constructor(options: TrackingBatchOptions<Entry, Outcome>) {
    this.#options = {
      maxEntries: 500,
      lingerMs: 12,
      utilization: () => 1,
      maxUnderWay: 2,
      maxWaiting: 10_000,
      ...options,
    };
  }

  /** Takes an entry, which is answered later; false when too many wait already or it is closed. */
  add(entry: Entry): boolean {
    if (this.#state === "closed" || this.#waiting.length >= this.#options.maxWaiting) return false;
    this.#waiting.push(entry);
    if (this.#state === "empty") this.#wait();
    else if (this.#state === "gathering" && this.#waiting.length >= this.#options.maxEntries) this.#leave();
    return true;
  }

  /** Takes nothing more and resolves when everything taken has been answered. */
  async close(): Promise<void> {
    this.#enter("closed");
    this.#leave();
    if (this.#underWay === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    await promise;
  }

  /** The one place where the state changes: each state owns its alarm. */
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

  /** Decides what those who wait are waiting for. */
  #wait(): void {
    if (this.#state === "closed") return;
    if (this.#waiting.length === 0) this.#enter("empty");
    else if (this.#underWay === 0) this.#enter("leaving");
    else this.#enter(this.#underWay < this.#options.maxUnderWay ? "gathering" : "blocked");
  }

  /** Sends as many full batches as slots are free, or what there is. */
  #leave(): void {
    const { maxEntries, maxUnderWay } = this.#options;
    while (this.#waiting.length > 0 && this.#underWay < maxUnderWay) {
      const batch = this.#waiting;
      this.#waiting = batch.length > maxEntries ? batch.splice(maxEntries) : [];
      this.#underWay += 1;
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
      // `store` tells why; those who wait only need to know that it failed.
    }
    this.#underWay -= 1;
    // Before the answers, so that the next batch travels while they are written.
    if (this.#state === "blocked" || this.#state === "closed") this.#leave();
    let next = 0;
    for (const entry of batch) answer(entry, outcomes?.[next++] ?? "failed");
    if (this.#underWay === 0 && this.#waiting.length === 0) this.#drained?.();
  }
}
