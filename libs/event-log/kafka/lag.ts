import type { Cluster } from "kafkajs";
import { type ClusterConnection, leaderOf } from "./connection.ts";
import type { CommittedOffset, GroupCoordinator } from "./coordinator.ts";
import { fetchBatches, offsetBounds } from "./fetch.ts";
import { readTopicId } from "./topic-id.ts";

/** Events are counted up to here, and estimated from the average batch beyond. */
const COUNTED = { maxBytes: 256 * 1024, maxWaitMs: 50 };

/** Events appended and not yet committed: exact within the first 256 KiB of each partition, beyond that an estimate. */
export async function lagOf(
  connection: ClusterConnection,
  coordinator: GroupCoordinator,
  topic: string,
): Promise<number> {
  const { partitions, topicId } = await connection.use(async (cluster) => ({
    partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId),
    topicId: (await readTopicId(await leaderOf(cluster, topic, 0), topic)) ?? "",
  }));
  const committed = await coordinator.fetchOffsets(partitions, topicId);
  const lags = await connection.use((cluster) =>
    Promise.all(
      partitions.map((partition) => lagOfPartition(cluster, topic, partition, committed.get(partition))),
    ),
  );
  return lags.reduce((sum, lag) => sum + lag, 0);
}

async function lagOfPartition(
  cluster: Cluster,
  topic: string,
  partition: number,
  committed: CommittedOffset | undefined,
): Promise<number> {
  const { begin, end } = await offsetBounds(cluster, topic, partition);
  const from = committed !== undefined && committed.next > begin ? committed.next : begin;
  const behind = Number(end - from);
  if (behind <= 0) return 0;
  const [fetched] = await fetchBatches(cluster, topic, [{ partition, from }], COUNTED);
  const counted = fetched?.batches.slice(0, behind) ?? [];
  const events = counted.reduce((sum, { batch }) => sum + batch.count, 0);
  return counted.length === 0 ? behind : Math.round((events * behind) / counted.length);
}
