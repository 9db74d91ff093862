import { setTimeout as sleep } from "node:timers/promises";
import type { Kafka } from "kafkajs";
import { KafkaBuffer } from "./kafka-buffer.ts";
import { KafkaCoordinator } from "./kafka-coordinator.ts";
import { KafkaFetcher } from "./kafka-fetcher.ts";
import { lagOf } from "./kafka-lag.ts";
import { KafkaLink, leaderOf } from "./kafka-link.ts";
import type { Marks } from "./kafka-marks.ts";
import { type Assignment, KafkaMember } from "./kafka-member.ts";
import { KafkaPartition } from "./kafka-partition.ts";
import { boundsOf } from "./kafka-reading.ts";
import { readTopicId } from "./kafka-topic-id.ts";
import type { DeadLetter, EventConsumer, PartitionWorker } from "./port.ts";

export interface KafkaConsumerOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  /** Of events read and not yet committed, over all partitions of this process. */
  readonly maxBufferBytes: number;
  readonly putAside: (letters: readonly DeadLetter[]) => Promise<void>;
  readonly onWarning: (message: string) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** A topic that was made anew under its name is noticed after so long at most. */
const TOPIC_CHECK_MS = 10_000;

/** Shares the topic's partitions with the group's other members and runs a worker on each that falls to this process. */
export class KafkaConsumer implements EventConsumer {
  readonly #options: KafkaConsumerOptions;
  readonly #worker: PartitionWorker;
  readonly #coordinator: KafkaCoordinator;
  readonly #fetching: KafkaLink;
  readonly #link: KafkaLink;
  readonly #member: KafkaMember;
  /** What still works on a partition, so that nothing else of this process does at the same time. */
  readonly #working = new Map<number, Promise<void>>();
  /** The topic as it was last seen, and how many of its events were then not ingested yet. */
  #seen: { readonly topicId: string; readonly waiting: number } | null = null;

  constructor(worker: PartitionWorker, options: KafkaConsumerOptions) {
    const { kafka, topic, groupId } = options;
    this.#options = options;
    this.#worker = worker;
    this.#coordinator = new KafkaCoordinator(kafka, groupId, topic);
    this.#fetching = new KafkaLink(kafka, [topic]);
    this.#link = new KafkaLink(kafka, [topic]);
    this.#member = new KafkaMember({
      ...options,
      coordinator: this.#coordinator,
      onAssigned: (assignment) => this.#take(assignment),
    });
  }

  async close(): Promise<void> {
    await this.#member.close();
    await Promise.all(this.#working.values());
    await Promise.all([this.#coordinator.close(), this.#fetching.close(), this.#link.close()]);
  }

  /** Works on the partitions of one generation until it ends. */
  async #take(assignment: Assignment): Promise<void> {
    const { topic, onWarning } = this.#options;
    const { partitions, signal } = assignment;
    const fetcher = new KafkaFetcher({ link: this.#fetching, topic, onWarning });
    const working = partitions.map((partition) => {
      const offering = (this.#working.get(partition) ?? Promise.resolve()).then(() =>
        this.#offer(partition, assignment, fetcher),
      );
      this.#working.set(partition, offering);
      return offering;
    });
    await Promise.all([...working, fetcher.run(signal), this.#watchTopic(assignment)]);
  }

  /** Offers a partition to its worker, again after a pause when the worker gives up. */
  async #offer(partition: number, assignment: Assignment, fetcher: KafkaFetcher): Promise<void> {
    const { topic, onWarning } = this.#options;
    let pause = FIRST_PAUSE_MS;
    while (!assignment.signal.aborted) {
      const offeredAt = performance.now();
      try {
        await this.#work(partition, assignment, fetcher);
      } catch (error) {
        if (!assignment.signal.aborted)
          onWarning(`The worker of ${topic}:${partition} gave up: ${String(error)}`);
      }
      if (performance.now() - offeredAt > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      await sleep(pause, undefined, { signal: assignment.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  async #work(number: number, assignment: Assignment, fetcher: KafkaFetcher): Promise<void> {
    const { topic, putAside, maxBufferBytes } = this.#options;
    const marks = await this.#readMarks(number);
    const share = Math.ceil(maxBufferBytes / assignment.partitions.length);
    const buffer = new KafkaBuffer(marks.next, marks.repeatsBelow, share);
    fetcher.add(number, buffer);
    try {
      const [link, coordinator] = [this.#link, this.#coordinator];
      await this.#worker(
        new KafkaPartition({ topic, number, assignment, marks, coordinator, link, buffer, putAside }),
      );
    } finally {
      fetcher.remove(number, buffer);
    }
  }

  /**
   * The group's marks. Where there are none (nothing was ever committed, or Kafka has dropped the marks of a group that
   * was away for longer than `offsets.retention.minutes`, or an operator has deleted them after restoring an older stats
   * store), everything that is left is read, and any of it may be stored.
   */
  async #readMarks(partition: number): Promise<Marks> {
    const topicId = await this.#topicId();
    const found = (await this.#coordinator.readMarks([partition], topicId)).get(partition);
    if (found !== undefined) return found;
    const { begin, end } = await this.#link.use((cluster) =>
      boundsOf(cluster, this.#options.topic, partition),
    );
    return { next: begin, last: null, origin: null, topicId, repeatsBelow: end };
  }

  async #topicId(): Promise<string> {
    const { topic } = this.#options;
    const id = await this.#link.use(async (cluster) => readTopicId(await leaderOf(cluster, topic, 0), topic));
    if (id === null) throw new Error(`There is no topic ${topic}.`);
    return id;
  }

  /** Ends the generation when the topic turns out to be another one than it was, and says what is lost with the old one. */
  async #watchTopic({ signal, renew }: Assignment): Promise<void> {
    let known: string | null = null;
    while (!signal.aborted) {
      const id = await this.#topicId().catch(() => null);
      if (id !== null) await this.#look(id);
      if (id !== null && id !== (known ?? id)) renew();
      known ??= id;
      await sleep(TOPIC_CHECK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(topicId: string): Promise<void> {
    const { topic, onWarning } = this.#options;
    const before = this.#seen;
    const isReplaced = before !== null && before.topicId !== topicId;
    if (isReplaced)
      onWarning(
        `The topic ${topic} was replaced by another of its name (${before.topicId} by ${topicId}). When the old one was last looked at, ${before.waiting} of its events were not ingested; they are lost, with those that came after.`,
      );
    const last = isReplaced ? 0 : (before?.waiting ?? 0);
    const waiting = await lagOf(this.#link, this.#coordinator, topic).catch(() => last);
    // The topic may have been replaced while its events were counted.
    const isSame = (await this.#topicId().catch(() => null)) === topicId;
    this.#seen = { topicId, waiting: isSame ? waiting : last };
  }
}
