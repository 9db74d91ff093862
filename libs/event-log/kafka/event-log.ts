import type { Kafka } from "kafkajs";
import { createThrottledWarning, retry, within } from "#libs/async/index.ts";
import { EventLogError } from "../errors.ts";
import type {
  Backlog,
  BegunAppend,
  EventBatch,
  EventConsumer,
  PartitionWorker,
  RepeatableLog,
} from "../port.ts";
import { lagOf, readBacklog } from "./backlog.ts";
import { ClusterConnection, createClient, type KafkaClientOptions, leaderOf } from "./connection.ts";
import { KafkaConsumer } from "./consumer.ts";
import { GroupCoordinator } from "./coordinator.ts";
import { writeDeadLetters } from "./dead-letters.ts";
import { recordHeaders } from "./message.ts";
import { Partitioner } from "./partitioner.ts";
import { ProducerPool } from "./producer-pool.ts";
import { deadLetterTopic, type KafkaTopicOptions, prepareTopics } from "./topic.ts";

export interface KafkaEventLogOptions extends Omit<KafkaClientOptions, "onWarning">, KafkaTopicOptions {
  /** Concurrent sends, each with its own connection to every broker. Default 4. */
  readonly slots?: number;
  /** An append ends after this time, even if its result is unclear, in milliseconds. Default 3000. */
  readonly appendTimeoutMs?: number;
  /** A worker loses its partitions after this time without a heartbeat, in milliseconds. Default 10,000. */
  readonly sessionTimeoutMs?: number;
  /** Bytes read and not yet committed, over all partitions of this process. Default 64 MiB. */
  readonly maxBufferBytes?: number;
  /** Called with one sentence for the operator, the same one at most every 10 s. */
  readonly onWarning?: (message: string) => void;
}

const MAX_WAITING_APPENDS = 2000;
const REBALANCE_TIMEOUT_MS = 10_000;
/** Opening waits this long for the brokers, and continues in the background. */
const OPENING_MS = 3000;
const PREPARE_PAUSES = { firstMs: 100, longestMs: 5000 };

/** Opens the log, creates a missing topic. Resolves also while Kafka is away: appends then reject as `UNAVAILABLE`. */
export async function openKafkaEventLog(options: KafkaEventLogOptions): Promise<RepeatableLog> {
  const log = new KafkaEventLog(options);
  await log.prepared(OPENING_MS);
  return log;
}

class KafkaEventLog implements RepeatableLog {
  readonly #options: KafkaEventLogOptions;
  readonly #onWarning: (message: string) => void;
  readonly #kafka: Kafka;
  readonly #connection: ClusterConnection;
  readonly #coordinator: GroupCoordinator;
  readonly #producers: ProducerPool;
  readonly #partitioner: Partitioner;
  readonly #consumers = new Set<EventConsumer>();
  readonly #preparing = new AbortController();
  readonly #prepared: Promise<void>;
  #closing: Promise<void> | null = null;

  constructor(options: KafkaEventLogOptions) {
    const { topic } = options;
    this.#options = options;
    this.#onWarning = createThrottledWarning(options.onWarning ?? (() => undefined));
    this.#kafka = createClient({ ...options, onWarning: this.#onWarning });
    this.#connection = new ClusterConnection(this.#kafka, [topic]);
    this.#coordinator = new GroupCoordinator(this.#kafka, groupOf(topic), topic);
    this.#partitioner = new Partitioner(this.#connection, topic, options.partitions);
    this.#producers = new ProducerPool({
      kafka: this.#kafka,
      topics: [topic, deadLetterTopic(topic)],
      slots: options.slots ?? 4,
      maxWaiting: MAX_WAITING_APPENDS,
      timeoutMs: options.appendTimeoutMs ?? 3000,
    });
    this.#prepared = this.#prepare();
  }

  /** Waits for the topic, `ms` milliseconds at most. */
  async prepared(ms: number): Promise<void> {
    await within(ms, "preparing the topic", this.#prepared, this.#preparing.signal).catch(() => undefined);
  }

  begin(batch: EventBatch): BegunAppend {
    const retryToken = this.newRetryToken(batch);
    // Releases that do not look at the events' ids find a named batch by this mark.
    const done = this.#append(batch, Number(retryToken), batch.name === undefined ? undefined : retryToken);
    return { retryToken, done };
  }

  append(batch: EventBatch, retryToken?: string): Promise<void> {
    if (retryToken === undefined) return this.begin(batch).done;
    if (!/^\d{1,9}$/.test(retryToken))
      return Promise.reject(new TypeError(`"${retryToken}" is no retry token of this log.`));
    return this.#append(batch, Number(retryToken), retryToken);
  }

  /** The retry token is the partition. */
  newRetryToken({ name }: Pick<EventBatch, "name">): string {
    return String(name === undefined ? this.#partitioner.next() : this.#partitioner.of(name));
  }

  async consume(worker: PartitionWorker): Promise<EventConsumer> {
    this.#mustBeOpen();
    const { topic, sessionTimeoutMs, maxBufferBytes } = this.#options;
    const consumer = new KafkaConsumer(worker, {
      kafka: this.#kafka,
      topic,
      groupId: groupOf(topic),
      sessionTimeoutMs: sessionTimeoutMs ?? 10_000,
      rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
      maxBufferBytes: maxBufferBytes ?? 64 * 1024 * 1024,
      writeDeadLetters: (letters) => writeDeadLetters(this.#producers, topic, letters),
      onWarning: this.#onWarning,
    });
    this.#consumers.add(consumer);
    return {
      close: async () => {
        await consumer.close();
        this.#consumers.delete(consumer);
      },
    };
  }

  async probe(): Promise<void> {
    this.#mustBeOpen();
    const { topic } = this.#options;
    try {
      await this.#connection.use((cluster) => leaderOf(cluster, topic, 0));
    } catch (cause) {
      throw new EventLogError("UNAVAILABLE", `Kafka has no leader for ${topic}.`, { cause });
    }
  }

  lag(): Promise<number> {
    return this.#ask(lagOf);
  }

  backlog(): Promise<Backlog> {
    return this.#ask(readBacklog);
  }

  async #ask<T>(read: (...log: Parameters<typeof readBacklog>) => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    try {
      return await read(this.#connection, this.#coordinator, this.#options.topic);
    } catch (cause) {
      throw new EventLogError("UNAVAILABLE", "Kafka did not say how far ingestion is.", { cause });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #append(batch: EventBatch, partition: number, retryToken: string | undefined): Promise<void> {
    this.#mustBeOpen();
    if (batch.count === 0) return;
    const messages = [{ value: batch.rows, headers: recordHeaders(batch, retryToken) }];
    try {
      await this.#producers.send({ topic: this.#options.topic, partition, messages });
    } catch (error) {
      if (!(error instanceof EventLogError)) throw error;
      this.#partitioner.avoid(partition);
      const { code, message, cause } = error;
      throw new EventLogError(code, message, {
        cause,
        ...(code === "UNCLEAR" && { retryToken: String(partition) }),
      });
    }
  }

  /** Creates the topic; retries until the brokers are there. */
  async #prepare(): Promise<void> {
    const { topic } = this.#options;
    const onFailure = (error: unknown) =>
      this.#onWarning(`The topic ${topic} could not be prepared: ${String(error)}`);
    const prepare = async () => {
      if ((await prepareTopics(this.#kafka, this.#options)) === 1) this.#onWarning(onlyOneCopy(topic));
      await this.#partitioner.refresh();
    };
    const options = { ...PREPARE_PAUSES, signal: this.#preparing.signal, onFailure };
    await retry(prepare, options).catch(() => undefined);
  }

  async #close(): Promise<void> {
    this.#preparing.abort();
    this.#partitioner.close();
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    await this.#producers.close();
    await Promise.all([this.#prepared, this.#connection.close(), this.#coordinator.close()]);
  }

  #mustBeOpen(): void {
    if (this.#closing !== null) throw new EventLogError("CLOSED", "The event log has been closed.");
  }
}

function onlyOneCopy(topic: string): string {
  return `One broker has an event of the topic ${topic} when it is acknowledged. If that broker loses its disk, or its power before the event is on the disk, acknowledged events are lost. Three brokers with KAFKA_REPLICATION=3 (min.insync.replicas=2) keep them.`;
}

/** The consumer group that all ingestion workers of a topic share. */
export function groupOf(topic: string): string {
  return `${topic}-ingestion`;
}
