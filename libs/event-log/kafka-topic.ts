import kafkajs, { type Admin, type ITopicConfig, type Kafka } from "kafkajs";
import { answerOf } from "./kafka-refusals.ts";

/** How a topic is made where it is missing. */
export interface KafkaTopicOptions {
  readonly topic: string;
  readonly partitions: number;
  /** Copies of each event on different brokers. Default: as many as there are brokers, three at most. */
  readonly replication?: number | undefined;
  readonly retentionHours: number;
}

// Node sees the first names alone that a CommonJS module exports.
const { ConfigResourceTypes } = kafkajs;
const USUAL_REPLICATION = 3;
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
 * Resolves with the number of brokers that have an event of the topic, at least, when it is acknowledged.
 */
export async function prepareTopics(kafka: Kafka, options: KafkaTopicOptions): Promise<number> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = await admin.listTopics();
    const replication = options.replication ?? (await usualReplication(admin));
    const wanted = [eventTopic(options, replication), letterTopic(options, replication)];
    const missing = wanted.filter(({ topic }) => !existing.includes(topic));
    if (missing.length > 0) await create(admin, missing);
    await grow(admin, options);
    return await acknowledgedCopies(admin, options.topic);
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

async function usualReplication(admin: Admin): Promise<number> {
  const { brokers } = await admin.describeCluster();
  return Math.min(USUAL_REPLICATION, Math.max(1, brokers.length));
}

/** An append is acknowledged by every replica in sync, of which there are `min.insync.replicas` at least. */
async function acknowledgedCopies(admin: Admin, topic: string): Promise<number> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
  const { resources } = await admin.describeConfigs({
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: ["min.insync.replicas"] }],
    includeSynonyms: false,
  });
  const leastInSync = Number(resources[0]?.configEntries[0]?.configValue ?? 1);
  return Math.min(leastInSync, ...partitions.map(({ replicas }) => replicas.length));
}

function eventTopic(
  { topic, partitions, retentionHours }: KafkaTopicOptions,
  replication: number,
): ITopicConfig {
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

function letterTopic({ topic }: KafkaTopicOptions, replication: number): ITopicConfig {
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
