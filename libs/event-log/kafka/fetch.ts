import type { Cluster } from "kafkajs";
import type { FetchedMessage, FetchedPartition } from "kafkajs/src/broker/index.js";
import { EventLogError } from "../errors.ts";
import type { Offset, OffsetRange } from "../port.ts";
import { errorTypeOf } from "./broker-errors.ts";
import { type ClusterConnection, leaderOf } from "./connection.ts";
import { batchOf, type StoredBatch } from "./message.ts";

/** Reads uncommitted transactions too: one of another program must not block a partition. */
const READ_UNCOMMITTED = 0;
const NO_REPLICA = -1;
const LATEST = -1;
const EARLIEST = -2;

/** A partition and the offset to read from. */
export interface ReadPosition {
  readonly partition: number;
  readonly from: Offset;
}

export interface FetchLimits {
  /** Per partition. One message is returned whatever its size. */
  readonly maxBytes: number;
  readonly maxWaitMs: number;
}

/** Batches of a partition, as far as one response goes. */
export interface FetchedBatches {
  readonly partition: number;
  readonly batches: readonly StoredBatch[];
  /** The offset of the next fetch. */
  readonly next: Offset;
  readonly end: Offset;
}

/** Reads partitions of one leader in one request, which waits until one of them has a batch. */
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

/** The first offset of a partition, and the offset of its next batch. */
export async function offsetBounds(cluster: Cluster, topic: string, partition: number) {
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
  if (offset === undefined) throw new Error("The broker returned no offset.");
  return BigInt(offset);
}

function asBatches({ partition, highWatermark, messages }: FetchedPartition, from: Offset): FetchedBatches {
  const fetched = messages.map((message) => ({ offset: BigInt(message.offset), message }));
  const next = fetched.reduce((end, { offset }) => (offset >= end ? offset + 1n : end), from);
  // A broker sends whole record batches, which may begin before the requested offset.
  const batches = fetched
    .filter(({ offset, message }) => offset >= from && !isControl(message))
    .map(({ offset, message }) => ({
      offset,
      leaderEpoch: message.batchContext?.partitionLeaderEpoch ?? 0,
      appendedAt: Number(message.timestamp),
      batch: batchOf(message),
    }));
  return { partition, batches, next, end: BigInt(highWatermark) };
}

function isControl(message: FetchedMessage): boolean {
  return message.isControlRecord === true;
}

export interface ReadAgainOptions {
  readonly connection: ClusterConnection;
  readonly topic: string;
  readonly partition: number;
  readonly range: OffsetRange;
  readonly signal: AbortSignal;
}

const REREAD = { maxBytes: 4 * 1024 * 1024, maxWaitMs: 100 };

/** Reads a range again. Rejects with `RANGE_GONE` when part of it is gone, `PARTITION_LOST` or `UNAVAILABLE`. */
export async function readAgain({
  connection,
  topic,
  partition,
  range,
  signal,
}: ReadAgainOptions): Promise<StoredBatch[]> {
  const read: StoredBatch[] = [];
  let from = range.first;
  try {
    while (from <= range.last) {
      if (signal.aborted) throw new EventLogError("PARTITION_LOST", "The partition was lost during a read.");
      const [fetched] = await connection.use((cluster) =>
        fetchBatches(cluster, topic, [{ partition, from }], REREAD),
      );
      // A new leader may not know its high watermark yet, so a short log is no proof of a loss.
      if (fetched === undefined || fetched.end <= range.last)
        throw new Error("The log ends before the range.");
      read.push(...fetched.batches.filter(({ offset }) => offset <= range.last));
      from = fetched.next;
    }
  } catch (error) {
    if (error instanceof EventLogError) throw error;
    if (errorTypeOf(error) === "OFFSET_OUT_OF_RANGE") throw gone(range, error);
    throw new EventLogError("UNAVAILABLE", "The brokers did not return the range.", { cause: error });
  }
  if (read[0]?.offset !== range.first || read.at(-1)?.offset !== range.last) throw gone(range);
  return read;
}

function gone({ first, last }: OffsetRange, cause?: unknown): EventLogError {
  return new EventLogError("RANGE_GONE", `The log no longer holds all offsets from ${first} to ${last}.`, {
    cause,
  });
}
