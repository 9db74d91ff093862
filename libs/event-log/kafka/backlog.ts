import kafkajs, { type Cluster } from "kafkajs";
import type { Backlog, PartitionBacklog } from "../port.ts";
import { type ClusterConnection, leaderOf } from "./connection.ts";
import type { CommittedOffset, GroupCoordinator } from "./coordinator.ts";
import { fetchBatches, offsetBounds } from "./fetch.ts";
import { readTopicId } from "./topic-id.ts";

// Not among the names that Node finds in this CommonJS module.
const { ConfigResourceTypes } = kafkajs;
/** Events are counted up to here, and estimated from the average batch beyond. */
const COUNTED = { maxBytes: 256 * 1024, maxWaitMs: 50 };

/**
 * What was appended and not yet committed. Events are exact within the first 256 KiB of each partition, beyond that an
 * estimate. The retention is the topic's own, which an operator may have changed since the topic was made.
 */
export async function readBacklog(
  connection: ClusterConnection,
  coordinator: GroupCoordinator,
  topic: string,
): Promise<Backlog> {
  const { numbers, topicId, retentionMs } = await connection.use(async (cluster) => ({
    numbers: cluster
      .findTopicPartitionMetadata(topic)
      .map(({ partitionId }) => partitionId)
      .toSorted((one, other) => one - other),
    topicId: (await readTopicId(await leaderOf(cluster, topic, 0), topic)) ?? "",
    retentionMs: await readRetention(cluster, topic),
  }));
  const committed = await coordinator.fetchOffsets(numbers, topicId);
  const partitions = await connection.use((cluster) =>
    Promise.all(numbers.map((number) => backlogOf(cluster, topic, number, committed.get(number)))),
  );
  return { partitions, retentionMs };
}

/** The events of `readBacklog`, over all partitions. */
export async function lagOf(...log: Parameters<typeof readBacklog>): Promise<number> {
  const { partitions } = await readBacklog(...log);
  return partitions.reduce((sum, { events }) => sum + events, 0);
}

async function backlogOf(
  cluster: Cluster,
  topic: string,
  partition: number,
  committed: CommittedOffset | undefined,
): Promise<PartitionBacklog> {
  const { begin, end } = await offsetBounds(cluster, topic, partition);
  const from = committed !== undefined && committed.next > begin ? committed.next : begin;
  const behind = Number(end - from);
  if (behind <= 0) return { partition, events: 0, oldestAt: null };
  const [fetched] = await fetchBatches(cluster, topic, [{ partition, from }], COUNTED);
  const counted = fetched?.batches.slice(0, behind) ?? [];
  const events = counted.reduce((sum, { batch }) => sum + batch.count, 0);
  return {
    partition,
    events: counted.length === 0 ? behind : Math.round((events * behind) / counted.length),
    oldestAt: counted[0]?.appendedAt ?? null,
  };
}

/** Null if the topic keeps its events for ever. */
async function readRetention(cluster: Cluster, topic: string): Promise<number | null> {
  const broker = await leaderOf(cluster, topic, 0);
  const { resources } = await broker.describeConfigs({
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: ["retention.ms"] }],
    includeSynonyms: false,
  });
  const milliseconds = Number(resources[0]?.configEntries[0]?.configValue ?? -1);
  return milliseconds < 0 ? null : milliseconds;
}
