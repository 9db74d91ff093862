import kafkajs, { type Admin, type ITopicConfig, type Kafka } from "kafkajs";
import { errorTypeOf } from "./broker-errors.ts";

/** How a missing topic is created. */
export interface KafkaTopicOptions {
  readonly topic: string;
  readonly partitions: number;
  /** Copies of each event on different brokers. Default: as many as there are brokers, three at most. */
  readonly replication?: number | undefined;
  readonly retentionHours: number;
}

// Not among the names that Node finds in this CommonJS module.
const { ConfigResourceTypes } = kafkajs;
const USUAL_REPLICATION = 3;
const HOUR_MS = 3_600_000;
/** Well above the size of 500 events. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const DEAD_LETTER_RETENTION_HOURS = 30 * 24;

/** The topic of the lines that the stats store refuses. */
export function deadLetterTopic(topic: string): string {
  return `${topic}-dead-letters`;
}

/**
 * Creates the topic and its dead letter topic when they are missing, and adds missing partitions. Other settings of existing
 * topics stay unchanged. Resolves with the least number of brokers that have an event when it is acknowledged.
 */
export async function prepareTopics(kafka: Kafka, options: KafkaTopicOptions): Promise<number> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = await admin.listTopics();
    const replication = options.replication ?? (await usualReplication(admin));
    const wanted = [eventTopicConfig(options, replication), deadLetterTopicConfig(options, replication)];
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
    const refusals = partsOf(error).filter((each) => errorTypeOf(each) !== "TOPIC_ALREADY_EXISTS");
    if (refusals.length > 0) throw new Error(refusals.map(String).join("; "), { cause: error });
  }
}

/** kafkajs wraps the errors of several topics in one that does not name them. */
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

/** `acks: -1` waits for all in-sync replicas, of which there are `min.insync.replicas` at least. */
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

function eventTopicConfig(
  { topic, partitions, retentionHours }: KafkaTopicOptions,
  replication: number,
): ITopicConfig {
  return {
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: [
      ...configOf(replication, retentionHours),
      // Kafka must not refuse a producer with a wrong clock, and delays are measured by the broker's clock.
      { name: "message.timestamp.type", value: "LogAppendTime" },
      // Messages of other programs can be read whatever compression they use.
      { name: "compression.type", value: "uncompressed" },
      { name: "unclean.leader.election.enable", value: "false" },
    ],
  };
}

function deadLetterTopicConfig({ topic }: KafkaTopicOptions, replication: number): ITopicConfig {
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
