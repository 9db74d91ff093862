import type { Cluster } from "kafkajs";
import type { FetchedMessage, FetchedPartition } from "kafkajs/src/broker/index.js";
import { leaderOf } from "./kafka-link.ts";
import { batchOf, type StoredBatch } from "./kafka-message.ts";
import type { Offset } from "./port.ts";

/** Reads what is in the log, also of transactions that nobody ends: a stranger's must not hold up a partition. */
const READ_UNCOMMITTED = 0;
const NO_REPLICA = -1;
const LATEST = -1;
const EARLIEST = -2;

/** Where to read a partition from. */
export interface ReadPosition {
  readonly partition: number;
  readonly from: Offset;
}

export interface FetchLimits {
  /** Of each partition; one message comes whatever its size. */
  readonly maxBytes: number;
  readonly maxWaitMs: number;
}

/** What a partition holds from a position on, as far as it came. */
export interface FetchedBatches {
  readonly partition: number;
  readonly batches: readonly StoredBatch[];
  /** The first offset that has not come. */
  readonly next: Offset;
  readonly end: Offset;
}

/** Reads partitions that have the same leader in one request, which waits until one of them has something. */
export async function fetchBatches(
  cluster: Cluster,
  topic: string,
  positions: readonly ReadPosition[],
  { maxBytes, maxWaitMs }: FetchLimits,
): Promise<FetchedBatches[]> {
  const [first] = positions;
  if (first === undefined) return [];
  const broker = await leaderOf(cluster, topic, first.partition);
  const partitions = positions.map(({ partition, from }) => ({
    partition,
    fetchOffset: String(from),
    maxBytes,
  }));
  const { responses } = await broker.fetch({
    isolationLevel: READ_UNCOMMITTED,
    maxWaitTime: maxWaitMs,
    minBytes: 1,
    maxBytes: maxBytes * positions.length,
    topics: [{ topic, partitions }],
  });
  const fetched = responses.flatMap((response) => response.partitions);
  return positions.flatMap((position) => {
    const found = fetched.find(({ partition }) => partition === position.partition);
    return found === undefined ? [] : [asBatches(found, position.from)];
  });
}

/** Where a partition begins and ends; its end is where the next batch will be. */
export async function boundsOf(cluster: Cluster, topic: string, partition: number) {
  const [begin, end] = [
    await offsetAt(cluster, topic, partition, EARLIEST),
    await offsetAt(cluster, topic, partition, LATEST),
  ];
  return { begin, end };
}

async function offsetAt(
  cluster: Cluster,
  topic: string,
  partition: number,
  timestamp: number,
): Promise<Offset> {
  const broker = await leaderOf(cluster, topic, partition);
  const { responses } = await broker.listOffsets({
    replicaId: NO_REPLICA,
    isolationLevel: READ_UNCOMMITTED,
    topics: [{ topic, partitions: [{ partition, timestamp }] }],
  });
  const offset = responses[0]?.partitions[0]?.offset;
  if (offset === undefined) throw new Error("The broker has told no offset.");
  return BigInt(offset);
}

function asBatches({ partition, highWatermark, messages }: FetchedPartition, from: Offset): FetchedBatches {
  const fetched = messages.map((message) => ({ offset: BigInt(message.offset), message }));
  const next = fetched.reduce((end, { offset }) => (offset >= end ? offset + 1n : end), from);
  // A broker sends whole record batches, which may begin before what was asked for.
  const batches = fetched
    .filter(({ offset, message }) => offset >= from && !isControl(message))
    .map(({ offset, message }) => ({
      offset,
      leaderEpoch: message.batchContext?.partitionLeaderEpoch ?? 0,
      batch: batchOf(message),
    }));
  return { partition, batches, next, end: BigInt(highWatermark) };
}

function isControl(message: FetchedMessage): boolean {
  return message.isControlRecord === true;
}
