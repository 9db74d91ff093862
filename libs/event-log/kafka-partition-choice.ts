import type { KafkaLink } from "./kafka-link.ts";

/** A partition that did not take a send in time is passed over for so long, in milliseconds. */
const AVOIDED_MS = 5000;
/** How often it is asked which partitions there are and which of them have a leader, in milliseconds. */
const REFRESH_MS = 10_000;

/** Chooses where the next batch goes: one partition after the other, those that are known not to answer left out. */
export class KafkaPartitionChoice {
  readonly #link: KafkaLink;
  readonly #topic: string;
  readonly #timer: NodeJS.Timeout;
  #partitions: readonly number[];
  readonly #avoidedUntil = new Map<number, number>();
  #turn = Math.floor(Math.random() * 1000);

  /** `partitions` are taken to be there until the brokers have been asked. */
  constructor(link: KafkaLink, topic: string, partitions: number) {
    this.#link = link;
    this.#topic = topic;
    this.#partitions = Array.from({ length: partitions }, (_, number) => number);
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  /** Never rejects: what cannot be asked stays as it was. */
  async refresh(): Promise<void> {
    const found = await this.#link
      .use(async (cluster) => cluster.findTopicPartitionMetadata(this.#topic))
      .catch(() => []);
    const led = found.filter(({ leader }) => leader >= 0).map(({ partitionId }) => partitionId);
    if (led.length > 0) this.#partitions = led.sort((a, b) => a - b);
  }

  next(): number {
    const now = performance.now();
    for (let tries = this.#partitions.length; tries > 0; tries--) {
      const partition = this.#take();
      if ((this.#avoidedUntil.get(partition) ?? 0) <= now) return partition;
    }
    return this.#take();
  }

  avoid(partition: number): void {
    this.#avoidedUntil.set(partition, performance.now() + AVOIDED_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #take(): number {
    this.#turn = (this.#turn + 1) % this.#partitions.length;
    return this.#partitions[this.#turn] ?? 0;
  }
}
