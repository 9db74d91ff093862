import { BoundedQueue, type BoundedQueueOptions } from "./bounded-queue.ts";

/** A `BoundedQueue` for each key that has work: work of one key waits for its own, and for no other key's. */
export class QueuesByKey {
  readonly #options: BoundedQueueOptions;
  readonly #queues = new Map<string, BoundedQueue>();

  constructor(options: BoundedQueueOptions) {
    this.#options = options;
  }

  /** As `BoundedQueue.run`, among the work of the key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? new BoundedQueue(this.#options);
    this.#queues.set(key, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.#queues.delete(key);
    }
  }
}
