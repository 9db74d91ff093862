import type { Kafka } from "kafkajs";
import { EventLogError } from "./errors.ts";
import { KafkaLane, type KafkaParcel } from "./kafka-lane.ts";

export interface KafkaAppendsOptions {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  /** Sends under way at once, each on connections of its own. */
  readonly lanes: number;
  /** Sends that may wait for a lane; further ones are refused at once. */
  readonly maxWaiting: number;
  /** After so long a send ends, whatever is known by then, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends parcels on the first lane that is free, each within its time. */
export class KafkaAppends {
  readonly #options: KafkaAppendsOptions;
  readonly #lanes: readonly KafkaLane[];
  readonly #free: KafkaLane[];
  readonly #waiting: ((lane: KafkaLane) => void)[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: KafkaAppendsOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, () => new KafkaLane(options.kafka, options.topics));
    this.#free = [...this.#lanes];
  }

  /** Rejects with `EventLogError` `UNAVAILABLE` when the parcel was not stored, `UNCLEAR` when it may have been. */
  send(parcel: KafkaParcel): Promise<void> {
    const sending = this.#send(parcel);
    const ended = sending.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(ended);
    void ended.then(() => this.#underWay.delete(ended));
    return sending;
  }

  /** Ends when every send that was begun has ended. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  async #send(parcel: KafkaParcel): Promise<void> {
    const deadline = performance.now() + this.#options.timeoutMs;
    const lane = await this.#take(deadline);
    try {
      await lane.send(parcel, deadline);
    } finally {
      this.#release(lane);
    }
  }

  #take(deadline: number): Promise<KafkaLane> {
    const lane = this.#free.pop();
    if (lane !== undefined) return Promise.resolve(lane);
    if (this.#waiting.length >= this.#options.maxWaiting)
      return Promise.reject(
        new EventLogError("UNAVAILABLE", `${this.#waiting.length} sends wait for Kafka.`),
      );
    const { promise, resolve, reject } = Promise.withResolvers<KafkaLane>();
    const timer = setTimeout(
      () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new EventLogError("UNAVAILABLE", "Kafka is busy with earlier events."));
      },
      Math.max(deadline - performance.now(), 0),
    );
    const take = (free: KafkaLane) => {
      clearTimeout(timer);
      resolve(free);
    };
    this.#waiting.push(take);
    return promise;
  }

  #release(lane: KafkaLane): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(lane);
    else next(lane);
  }
}
