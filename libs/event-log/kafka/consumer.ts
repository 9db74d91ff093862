import type { Kafka } from "kafkajs";
import { keepRunning, pause } from "#libs/async/index.ts";
import type { DeadLetter, EventConsumer, PartitionWorker } from "../port.ts";
import { lagOf } from "./backlog.ts";
import { ClusterConnection, leaderOf } from "./connection.ts";
import type { CommittedOffset } from "./coordinator.ts";
import { GroupCoordinator } from "./coordinator.ts";
import { offsetBounds } from "./fetch.ts";
import { FetchBuffer } from "./fetch-buffer.ts";
import { Fetcher } from "./fetcher.ts";
import { type Assignment, GroupMember } from "./group-member.ts";
import { KafkaPartition } from "./partition.ts";
import { readTopicId } from "./topic-id.ts";

export interface KafkaConsumerOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  /** Limits the events read and not yet committed, over all partitions of this process. */
  readonly maxBufferBytes: number;
  readonly writeDeadLetters: (letters: readonly DeadLetter[]) => Promise<void>;
  readonly onWarning: (message: string) => void;
}

const WORKER_RESTARTS = { firstMs: 100, longestMs: 5000 };
/** How often the topic's id is checked: a topic created again under its name has another. */
const TOPIC_CHECK_MS = 10_000;

/** Joins the consumer group and runs a worker on each partition assigned to this process. */
export class KafkaConsumer implements EventConsumer {
  readonly #options: KafkaConsumerOptions;
  readonly #worker: PartitionWorker;
  readonly #coordinator: GroupCoordinator;
  readonly #fetchConnection: ClusterConnection;
  readonly #connection: ClusterConnection;
  readonly #member: GroupMember;
  /** The worker of each partition. It ends before the next one of this process starts. */
  readonly #working = new Map<number, Promise<void>>();
  /** The topic's id at the last check, and its lag then. */
  #seen: { readonly topicId: string; readonly waiting: number } | null = null;

  constructor(worker: PartitionWorker, options: KafkaConsumerOptions) {
    const { kafka, topic, groupId } = options;
    this.#options = options;
    this.#worker = worker;
    this.#coordinator = new GroupCoordinator(kafka, groupId, topic);
    this.#fetchConnection = new ClusterConnection(kafka, [topic]);
    this.#connection = new ClusterConnection(kafka, [topic]);
    this.#member = new GroupMember({
      ...options,
      coordinator: this.#coordinator,
      onAssigned: (assignment) => this.#take(assignment),
    });
  }

  async close(): Promise<void> {
    await this.#member.close();
    await Promise.all(this.#working.values());
    await Promise.all([this.#coordinator.close(), this.#fetchConnection.close(), this.#connection.close()]);
  }

  /** Works on the partitions of one generation. */
  async #take(assignment: Assignment): Promise<void> {
    const { topic, onWarning } = this.#options;
    const { partitions, signal } = assignment;
    const fetcher = new Fetcher({ connection: this.#fetchConnection, topic, onWarning });
    const working = partitions.map((partition) => {
      const offering = (this.#working.get(partition) ?? Promise.resolve()).then(() =>
        this.#offer(partition, assignment, fetcher),
      );
      this.#working.set(partition, offering);
      return offering;
    });
    await Promise.all([...working, fetcher.run(signal), this.#watchTopic(assignment)]);
  }

  /** Runs the worker of a partition until the assignment ends. */
  async #offer(partition: number, assignment: Assignment, fetcher: Fetcher): Promise<void> {
    const { topic, onWarning } = this.#options;
    await keepRunning(() => this.#work(partition, assignment, fetcher), {
      ...WORKER_RESTARTS,
      signal: assignment.signal,
      onFailure: (error) => onWarning(`The worker of ${topic}:${partition} failed: ${String(error)}`),
    });
  }

  async #work(number: number, assignment: Assignment, fetcher: Fetcher): Promise<void> {
    const { topic, writeDeadLetters, maxBufferBytes } = this.#options;
    const committed = await this.#fetchOffsets(number);
    const share = Math.ceil(maxBufferBytes / assignment.partitions.length);
    const buffer = new FetchBuffer(committed.next, committed.repeatsBelow, share);
    fetcher.add(number, buffer);
    try {
      const [connection, coordinator] = [this.#connection, this.#coordinator];
      await this.#worker(
        new KafkaPartition({
          topic,
          number,
          assignment,
          committed,
          coordinator,
          connection,
          buffer,
          writeDeadLetters,
        }),
      );
    } finally {
      fetcher.remove(number, buffer);
    }
  }

  /**
   * The partition's committed offset. Without one (a new group, a group away for longer than `offsets.retention.minutes`, or
   * offsets deleted by an operator who restored an older stats store) reading starts at the first event, and all events that
   * are there now may be stored already.
   */
  async #fetchOffsets(partition: number): Promise<CommittedOffset> {
    const topicId = await this.#topicId();
    const found = (await this.#coordinator.fetchOffsets([partition], topicId)).get(partition);
    if (found !== undefined) return found;
    const { begin, end } = await this.#connection.use((cluster) =>
      offsetBounds(cluster, this.#options.topic, partition),
    );
    return { next: begin, last: null, origin: null, topicId, repeatsBelow: end };
  }

  async #topicId(): Promise<string> {
    const { topic } = this.#options;
    const id = await this.#connection.use(async (cluster) =>
      readTopicId(await leaderOf(cluster, topic, 0), topic),
    );
    if (id === null) throw new Error(`There is no topic ${topic}.`);
    return id;
  }

  /** Ends the generation when the topic was replaced, and warns of the events lost with the old one. */
  async #watchTopic({ signal, rejoin }: Assignment): Promise<void> {
    let known: string | null = null;
    while (!signal.aborted) {
      const id = await this.#topicId().catch(() => null);
      if (id !== null) await this.#compare(id);
      if (id !== null && id !== (known ?? id)) rejoin();
      known ??= id;
      await pause(TOPIC_CHECK_MS, signal);
    }
  }

  async #compare(topicId: string): Promise<void> {
    const { topic, onWarning } = this.#options;
    const before = this.#seen;
    const isReplaced = before !== null && before.topicId !== topicId;
    if (isReplaced)
      onWarning(
        `The topic ${topic} was replaced by another of its name (${before.topicId} by ${topicId}). At the last check of the old one, ${before.waiting} of its events were not ingested; they are lost, with those that came after.`,
      );
    const last = isReplaced ? 0 : (before?.waiting ?? 0);
    const waiting = await lagOf(this.#connection, this.#coordinator, topic).catch(() => last);
    // The topic may have been replaced during the count.
    const isSame = (await this.#topicId().catch(() => null)) === topicId;
    this.#seen = { topicId, waiting: isSame ? waiting : last };
  }
}
