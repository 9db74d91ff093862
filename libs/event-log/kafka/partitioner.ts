import { crc32 } from "node:zlib";
import type { ClusterConnection } from "./connection.ts";

/** How long a partition is avoided after a send that failed or timed out, in milliseconds. */
const AVOIDED_MS = 5000;
/**
 * How long a process stays with a partition, in milliseconds. Ingestion takes a range of each partition that has events, so that
 * one partition at a time makes fewer and larger parts in the stats store, and fewer commits.
 */
const STAYS_MS = 5000;
/** How often the partitions and their leaders are refreshed, in milliseconds. */
const REFRESH_MS = 10_000;

/** Chooses partitions in turn, each for some seconds, without those that have no leader or failed recently. */
export class Partitioner {
  readonly #connection: ClusterConnection;
  readonly #topic: string;
  readonly #timer: NodeJS.Timeout;
  #partitions: readonly number[];
  /** With and without a leader. */
  #count: number;
  readonly #avoidedUntil = new Map<number, number>();
  #turn = Math.floor(Math.random() * 1000);
  #staysUntil = 0;

  /** Assumes that there are `partitions` until the first refresh. */
  constructor(connection: ClusterConnection, topic: string, partitions: number) {
    this.#connection = connection;
    this.#topic = topic;
    this.#partitions = Array.from({ length: partitions }, (_, number) => number);
    this.#count = partitions;
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  /** Never rejects: without a response the partitions stay as they are. */
  async refresh(): Promise<void> {
    const found = await this.#connection
      .use(async (cluster) => cluster.findTopicPartitionMetadata(this.#topic))
      .catch(() => []);
    const led = found.filter(({ leader }) => leader >= 0).map(({ partitionId }) => partitionId);
    // Their number never shrinks.
    this.#count = Math.max(this.#count, found.length);
    if (led.length > 0) this.#partitions = led.sort((a, b) => a - b);
  }

  /** The partition of a name: the same in every process, also while it has no leader, as long as their number stays. */
  of(name: string): number {
    return crc32(name) % this.#count;
  }

  next(): number {
    const now = performance.now();
    const isAvoided = (partition: number) => (this.#avoidedUntil.get(partition) ?? 0) > now;
    let current = this.#current();
    if (now < this.#staysUntil && !isAvoided(current)) return current;
    this.#staysUntil = now + STAYS_MS;
    for (let tries = this.#partitions.length; tries > 0; tries--) {
      this.#turn = (this.#turn + 1) % this.#partitions.length;
      current = this.#current();
      if (!isAvoided(current)) break;
    }
    return current;
  }

  avoid(partition: number): void {
    this.#avoidedUntil.set(partition, performance.now() + AVOIDED_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #current(): number {
    return this.#partitions[this.#turn % this.#partitions.length] ?? 0;
  }
}
