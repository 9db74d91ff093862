import type { EventConsumer, EventLog, EventRange, Partition, ReadLimits } from "../port.ts";

/** Limits of a test that knows what it waits for: at once, or after so long that only a fault gets there. */
export const EAGER: ReadLimits = { maxWaitMs: 10_000, lingerMs: 0, maxEvents: 1000, maxBytes: 1e6 };

/** A partition in the hands of a test; closing the consumer lets go of it. */
export interface HeldPartition {
  readonly partition: Partition;
  readonly consumer: EventConsumer;
}

/** Consumes the log and hands the first partition it offers to the test. */
export async function holdPartition(log: EventLog): Promise<HeldPartition> {
  const offered = Promise.withResolvers<Partition>();
  const consumer = await log.consume(async (partition) => {
    offered.resolve(partition);
    await aborted(partition.signal);
  });
  return { partition: await offered.promise, consumer };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The next range; throws if none comes in time. */
export async function nextRange(partition: Partition, limits: Partial<ReadLimits> = {}): Promise<EventRange> {
  const range = await partition.readNext({ ...EAGER, ...limits });
  if (range === null) throw new Error("nothing came in time");
  return range;
}

export async function ingest(partition: Partition, range: EventRange): Promise<void> {
  await partition.recordIntent(range);
  await partition.commit(range);
}

export function textsOf({ batches }: EventRange): string[] {
  return batches.map(({ rows }) => rows.toString());
}
