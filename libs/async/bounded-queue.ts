export interface BoundedQueueOptions {
  /** How much work runs at the same time. */
  readonly atOnce: number;
  /** How much more may wait for its turn, and what `run` throws beyond it. Without it the caller bounds what waits. */
  readonly limit?: { readonly mostWaiting: number; readonly refusal: () => Error };
}

/** Runs work in the order of arrival, only some of it at the same time, and refuses what would wait too long. */
export class BoundedQueue {
  readonly #options: BoundedQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: BoundedQueueOptions) {
    this.#options = options;
  }

  /** Whether nothing runs, and so nothing waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** The result of the work, once it had its turn. Throws `limit.refusal()` at once if too much is waiting already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place passes to the next, so nobody who arrives now takes it first.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #turn(): Promise<void> {
    const { atOnce, limit } = this.#options;
    if (this.#running < atOnce) {
      this.#running += 1;
      return;
    }
    if (limit !== undefined && this.#waiting.length >= limit.mostWaiting) throw limit.refusal();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }
}
