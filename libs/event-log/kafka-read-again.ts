import { EventLogError } from "./errors.ts";
import type { KafkaLink } from "./kafka-link.ts";
import type { StoredBatch } from "./kafka-message.ts";
import { fetchBatches } from "./kafka-reading.ts";
import { answerOf } from "./kafka-refusals.ts";
import type { OffsetRange } from "./port.ts";

export interface ReadAgainOptions {
  readonly link: KafkaLink;
  readonly topic: string;
  readonly partition: number;
  readonly range: OffsetRange;
  readonly signal: AbortSignal;
}

const FETCH = { maxBytes: 4 * 1024 * 1024, maxWaitMs: 100 };

/**
 * Reads a range that was read before. Rejects `RANGE_GONE` when the log no longer begins and ends it where it did,
 * `PARTITION_LOST` when the signal aborts, `UNAVAILABLE` when the brokers do not answer.
 */
export async function readAgain({
  link,
  topic,
  partition,
  range,
  signal,
}: ReadAgainOptions): Promise<StoredBatch[]> {
  const read: StoredBatch[] = [];
  let from = range.first;
  try {
    while (from <= range.last) {
      if (signal.aborted)
        throw new EventLogError("PARTITION_LOST", "The partition was lost while it was read.");
      const [fetched] = await link.use((cluster) =>
        fetchBatches(cluster, topic, [{ partition, from }], FETCH),
      );
      // A leader that is new may not yet know how far its replicas are: that is no sign of a loss.
      if (fetched === undefined || fetched.end <= range.last)
        throw new Error("The log ends before the range.");
      read.push(...fetched.batches.filter(({ offset }) => offset <= range.last));
      from = fetched.next;
    }
  } catch (error) {
    if (error instanceof EventLogError) throw error;
    if (answerOf(error) === "OFFSET_OUT_OF_RANGE") throw gone(range, error);
    throw new EventLogError("UNAVAILABLE", "The brokers did not give the range.", { cause: error });
  }
  if (read[0]?.offset !== range.first || read.at(-1)?.offset !== range.last) throw gone(range);
  return read;
}

function gone({ first, last }: OffsetRange, cause?: unknown): EventLogError {
  return new EventLogError("RANGE_GONE", `The log no longer holds all from ${first} to ${last}.`, { cause });
}
