import { setTimeout as sleep } from "node:timers/promises";
import type { Kafka } from "kafkajs";
import { EventLogError } from "./errors.ts";
import { KafkaAppends } from "./kafka-appends.ts";
import { KafkaConsumer } from "./kafka-consumer.ts";
import { KafkaCoordinator } from "./kafka-coordinator.ts";
import { putAside } from "./kafka-dead-letters.ts";
import { lagOf } from "./kafka-lag.ts";
import { createKafka, type KafkaConnection, KafkaLink, leaderOf } from "./kafka-link.ts";
import { headersOf } from "./kafka-message.ts";
import { KafkaPartitionChoice } from "./kafka-partition-choice.ts";
import { deadLetterTopic, type KafkaTopicOptions, prepareTopics } from "./kafka-topic.ts";
import type { BegunAppend, EventBatch, EventConsumer, PartitionWorker, RepeatableLog } from "./port.ts";
import { createSparingWarnings } from "./sparing-warnings.ts";

export interface KafkaEventLogOptions extends Omit<KafkaConnection, "onTrouble">, KafkaTopicOptions {
  /** Sends under way at once, each on a connection of its own to every broker. Default 4. */
  readonly lanes?: number;
  /** An append ends after so long, whatever is known by then, in milliseconds. Default 3000. */
  readonly appendTimeoutMs?: number;
  /** A worker that is silent for so long loses its partitions, in milliseconds. Default 10,000. */
  readonly sessionTimeoutMs?: number;
  /** Bytes read and not yet committed, over all partitions of this process. Default 64 MiB. */
  readonly maxBufferBytes?: number;
  /** Told in one sentence what a person should know; the same one at most every 10 s. */
  readonly onWarning?: (message: string) => void;
}

const MAX_WAITING_APPENDS = 2000;
const REBALANCE_TIMEOUT_MS = 10_000;
/** Brokers that do not answer by then are waited for in the background. */
const OPENING_MS = 3000;
const LONGEST_PAUSE_MS = 5000;

/**
 * Opens the event log kept in a topic of Apache Kafka, which is made where it is missing. Resolves also while Kafka is
 * away: appends then reject `UNAVAILABLE`, and everything goes on by itself when it comes back.
 */
export async function openKafkaEventLog(options: KafkaEventLogOptions): Promise<RepeatableLog> {
  const log = new KafkaEventLog(options);
  await log.prepared(OPENING_MS);
  return log;
}

class KafkaEventLog implements RepeatableLog {
  readonly #options: KafkaEventLogOptions;
  readonly #onWarning: (message: string) => void;
  readonly #kafka: Kafka;
  readonly #link: KafkaLink;
  readonly #coordinator: KafkaCoordinator;
  readonly #appends: KafkaAppends;
  readonly #choice: KafkaPartitionChoice;
  readonly #consumers = new Set<EventConsumer>();
  readonly #preparing = new AbortController();
  readonly #prepared: Promise<void>;
  #closing: Promise<void> | null = null;

  constructor(options: KafkaEventLogOptions) {
    const { topic } = options;
    this.#options = options;
    this.#onWarning = createSparingWarnings(options.onWarning ?? (() => undefined));
    this.#kafka = createKafka({ ...options, onTrouble: this.#onWarning });
    this.#link = new KafkaLink(this.#kafka, [topic]);
    this.#coordinator = new KafkaCoordinator(this.#kafka, groupOf(topic), topic);
    this.#choice = new KafkaPartitionChoice(this.#link, topic, options.partitions);
    this.#appends = new KafkaAppends({
      kafka: this.#kafka,
      topics: [topic, deadLetterTopic(topic)],
      lanes: options.lanes ?? 4,
      maxWaiting: MAX_WAITING_APPENDS,
      timeoutMs: options.appendTimeoutMs ?? 3000,
    });
    this.#prepared = this.#prepare();
  }

  /** Waits for the topic, though not for long. */
  async prepared(ms: number): Promise<void> {
    await Promise.race([
      this.#prepared,
      sleep(ms, undefined, { signal: this.#preparing.signal }).catch(() => undefined),
    ]);
  }

  begin(batch: EventBatch): BegunAppend {
    const attempt = this.newAttempt();
    const done = this.#append(batch, Number(attempt), undefined);
    return { attempt, done };
  }

  append(batch: EventBatch, attempt?: string): Promise<void> {
    if (attempt === undefined) return this.begin(batch).done;
    if (!/^\d{1,9}$/.test(attempt))
      return Promise.reject(new TypeError(`"${attempt}" is no attempt of this log.`));
    return this.#append(batch, Number(attempt), attempt);
  }

  /** An attempt is the partition that it went to. */
  newAttempt(): string {
    return String(this.#choice.next());
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
      putAside: (letters) => putAside(this.#appends, topic, letters),
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
      await this.#link.use((cluster) => leaderOf(cluster, topic, 0));
    } catch (cause) {
      throw new EventLogError("UNAVAILABLE", `Kafka has no leader for ${topic}.`, { cause });
    }
  }

  async lag(): Promise<number> {
    this.#mustBeOpen();
    try {
      return await lagOf(this.#link, this.#coordinator, this.#options.topic);
    } catch (cause) {
      throw new EventLogError("UNAVAILABLE", "Kafka did not say how far ingestion is.", { cause });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #append(batch: EventBatch, partition: number, attempt: string | undefined): Promise<void> {
    this.#mustBeOpen();
    if (batch.count === 0) return;
    const messages = [{ value: batch.rows, headers: headersOf(batch, attempt) }];
    try {
      await this.#appends.send({ topic: this.#options.topic, partition, messages });
    } catch (error) {
      if (!(error instanceof EventLogError)) throw error;
      this.#choice.avoid(partition);
      const { code, message, cause } = error;
      throw new EventLogError(code, message, {
        cause,
        ...(code === "UNCLEAR" && { attempt: String(partition) }),
      });
    }
  }

  /** Makes the topic, however long the brokers are away. */
  async #prepare(): Promise<void> {
    const { signal } = this.#preparing;
    for (let pause = 100; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        if ((await prepareTopics(this.#kafka, this.#options)) === 1)
          this.#onWarning(onlyOneCopy(this.#options.topic));
        return await this.#choice.refresh();
      } catch (error) {
        this.#onWarning(`The topic ${this.#options.topic} could not be made ready: ${String(error)}`);
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #close(): Promise<void> {
    this.#preparing.abort();
    this.#choice.close();
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    await this.#appends.close();
    await Promise.all([this.#prepared, this.#link.close(), this.#coordinator.close()]);
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
