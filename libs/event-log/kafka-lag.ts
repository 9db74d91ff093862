import type { Cluster } from "kafkajs";
import type { KafkaCoordinator } from "./kafka-coordinator.ts";
import { type KafkaLink, leaderOf } from "./kafka-link.ts";
import type { Marks } from "./kafka-marks.ts";
import { boundsOf, fetchBatches } from "./kafka-reading.ts";
import { readTopicId } from "./kafka-topic-id.ts";

/** Batches are counted event by event so far; how many events are behind them follows from their average. */
const COUNTED = { maxBytes: 256 * 1024, maxWaitMs: 50 };

/**
 * Events appended and not yet committed. Kafka knows offsets, which are batches: the first 256 KiB of each partition's
 * are read and counted, so a short lag is exact and a long one is estimated.
 */
export async function lagOf(link: KafkaLink, coordinator: KafkaCoordinator, topic: string): Promise<number> {
  const { partitions, topicId } = await link.use(async (cluster) => ({
    partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId),
    topicId: (await readTopicId(await leaderOf(cluster, topic, 0), topic)) ?? "",
  }));
  const marks = await coordinator.readMarks(partitions, topicId);
  const lags = await link.use((cluster) =>
    Promise.all(
      partitions.map((partition) => lagOfPartition(cluster, topic, partition, marks.get(partition))),
    ),
  );
  return lags.reduce((sum, lag) => sum + lag, 0);
}

async function lagOfPartition(
  cluster: Cluster,
  topic: string,
  partition: number,
  marks: Marks | undefined,
): Promise<number> {
  const { begin, end } = await boundsOf(cluster, topic, partition);
  const from = marks !== undefined && marks.next > begin ? marks.next : begin;
  const behind = Number(end - from);
  if (behind <= 0) return 0;
  const [fetched] = await fetchBatches(cluster, topic, [{ partition, from }], COUNTED);
  const counted = fetched?.batches.slice(0, behind) ?? [];
  const events = counted.reduce((sum, { batch }) => sum + batch.count, 0);
  return counted.length === 0 ? behind : Math.round((events * behind) / counted.length);
}
