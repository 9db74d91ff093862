import type { Kafka } from "kafkajs";
import { EventLogError } from "../errors.ts";
import { ProducerSlot, type RecordSet } from "./producer-slot.ts";

export interface ProducerPoolOptions {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  /** Concurrent sends, each with its own connections. */
  readonly slots: number;
  /** Sends that may wait for a slot; further ones are refused at once. */
  readonly maxWaiting: number;
  /** A send ends after this time, even if its result is unclear, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends each record set through the next free slot, within a time limit. */
export class ProducerPool {
  readonly #options: ProducerPoolOptions;
  readonly #slots: readonly ProducerSlot[];
  readonly #free: ProducerSlot[];
  readonly #waiting: ((slot: ProducerSlot) => void)[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: ProducerPoolOptions) {
    this.#options = options;
    this.#slots = Array.from(
      { length: options.slots },
      () => new ProducerSlot(options.kafka, options.topics),
    );
    this.#free = [...this.#slots];
  }

  /** Rejects with `EventLogError` `UNAVAILABLE` when the record set was not stored, `UNCLEAR` when it may be. */
  send(recordSet: RecordSet): Promise<void> {
    const sending = this.#send(recordSet);
    const ended = sending.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(ended);
    void ended.then(() => this.#underWay.delete(ended));
    return sending;
  }

  /** Waits for the sends in progress. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  async #send(recordSet: RecordSet): Promise<void> {
    const deadline = performance.now() + this.#options.timeoutMs;
    const slot = await this.#take(deadline);
    try {
      await slot.send(recordSet, deadline);
    } finally {
      this.#release(slot);
    }
  }

  #take(deadline: number): Promise<ProducerSlot> {
    const slot = this.#free.pop();
    if (slot !== undefined) return Promise.resolve(slot);
    if (this.#waiting.length >= this.#options.maxWaiting)
      return Promise.reject(
        new EventLogError("UNAVAILABLE", `${this.#waiting.length} sends wait for Kafka.`),
      );
    const { promise, resolve, reject } = Promise.withResolvers<ProducerSlot>();
    const timer = setTimeout(
      () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new EventLogError("UNAVAILABLE", "Kafka is busy with earlier events."));
      },
      Math.max(deadline - performance.now(), 0),
    );
    const take = (free: ProducerSlot) => {
      clearTimeout(timer);
      resolve(free);
    };
    this.#waiting.push(take);
    return promise;
  }

  #release(slot: ProducerSlot): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next(slot);
  }
}
