import type { Admin, ITopicConfig, Kafka } from "kafkajs";
import { answerOf } from "./kafka-refusals.ts";

/** How a topic is made where it is missing. */
export interface KafkaTopicOptions {
  readonly topic: string;
  readonly partitions: number;
  /** Copies of each event on different brokers. */
  readonly replication: number;
  readonly retentionHours: number;
}

const HOUR_MS = 3_600_000;
/** Well above what 500 events need. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const DEAD_LETTER_RETENTION_HOURS = 30 * 24;

/** Where lines go that the stats store refuses. */
export function deadLetterTopic(topic: string): string {
  return `${topic}-dead-letters`;
}

/**
 * Makes the topic and the one for its dead letters where they are missing, and grows the topic where it has fewer
 * partitions than asked for; it is never shrunk. What else an existing topic was set to is left to its operator.
 */
export async function prepareTopics(kafka: Kafka, options: KafkaTopicOptions): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = await admin.listTopics();
    const wanted = [eventTopic(options), letterTopic(options)];
    const missing = wanted.filter(({ topic }) => !existing.includes(topic));
    if (missing.length > 0) await create(admin, missing);
    await grow(admin, options);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function create(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  try {
    await admin.createTopics({ topics, waitForLeaders: true, timeout: 10_000 });
  } catch (error) {
    const refusals = partsOf(error).filter((each) => answerOf(each) !== "TOPIC_ALREADY_EXISTS");
    if (refusals.length > 0) throw new Error(refusals.map(String).join("; "), { cause: error });
  }
}

/** kafkajs sums up several refusals in an error that does not say them. */
function partsOf(error: unknown): readonly unknown[] {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : [error];
}

async function grow(admin: Admin, { topic, partitions }: KafkaTopicOptions): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const there = topics.find(({ name }) => name === topic)?.partitions.length ?? partitions;
  if (there < partitions)
    await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }], timeout: 10_000 });
}

function eventTopic({ topic, partitions, replication, retentionHours }: KafkaTopicOptions): ITopicConfig {
  return {
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: [
      ...configOf(replication, retentionHours),
      // A producer whose clock has jumped must not be refused, and lateness is judged by the broker's clock.
      { name: "message.timestamp.type", value: "LogAppendTime" },
      // Whatever a stranger compresses with can be read.
      { name: "compression.type", value: "uncompressed" },
      { name: "unclean.leader.election.enable", value: "false" },
    ],
  };
}

function letterTopic({ topic, replication }: KafkaTopicOptions): ITopicConfig {
  return {
    topic: deadLetterTopic(topic),
    numPartitions: 1,
    replicationFactor: replication,
    configEntries: configOf(replication, DEAD_LETTER_RETENTION_HOURS),
  };
}

function configOf(replication: number, retentionHours: number) {
  return [
    { name: "retention.ms", value: String(retentionHours * HOUR_MS) },
    { name: "max.message.bytes", value: String(MAX_MESSAGE_BYTES) },
    { name: "min.insync.replicas", value: String(Math.max(1, replication - 1)) },
  ];
}
