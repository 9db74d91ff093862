import { EventLogError } from "#libs/event-log/errors.ts";
import type { EventRange, OffsetRange, Partition, RangeOfOrigin, ReadLimits } from "#libs/event-log/port.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { RowRange, StatsStore } from "#libs/stats-store/port.ts";
import { type PersistentOptions, persistently } from "./persistent.ts";
import { cutAtRepeats } from "./repeats.ts";
import { insertSoundLines } from "./sound-lines.ts";

/** What has just been done with a range. */
export type IngestionStep = "read" | "intent" | "inserted" | "committed";

/** What ingestion asks of the stats store. */
export type IngestionStore = Pick<StatsStore, "insertRange" | "storedIds">;

export interface IngestionLimits extends ReadLimits {
  /** The pause after a first failure, in milliseconds; it doubles up to 10 s. */
  readonly firstPauseMs: number;
}

/** What the worker tells while it works. */
export interface IngestionObserver {
  onStep(step: IngestionStep, range: OffsetRange): void | Promise<void>;
  /** A range is in the store and committed; `refused` of its lines were put aside. */
  onIngested(events: number, refused: number): void;
  /** Events that the log had a second time were stepped over. */
  onRepeated(events: number): void;
  onTrouble(error: Error): void;
  onRecovery(awayMs: number): void;
  /** The log lost a range before it was known to be in the store; ingestion goes on behind it. */
  onRangeGone(range: OffsetRange, error: Error): void;
}

/**
 * Moves a partition's events into the stats store, each exactly once, until the partition's signal aborts.
 *
 *     read a range ─▶ cut it at repeats ─┬▶ record the intent ─▶ insert under the range's token ─▶ commit
 *                                        └▶ (a repeat) commit
 *
 * A crash before the intent repeats nothing, for nothing was inserted. A crash after it leaves the intent: the next
 * owner reads precisely that range and inserts it under the same token, and the store drops it if it has it. Between
 * an intent and its commit there is never another range, so no event can stand under two tokens. The token holds the
 * range's origin, as the intent does, so no two events can stand under one either, should a log that has lost its end
 * give the same offsets again.
 *
 * A batch that the log may have twice is looked up before there is an intent, when everything in the store comes from
 * lower offsets. What is a repeat is stepped over by a commit alone, so a recorded range never holds one and is
 * repeated as it is, byte for byte. To leave events out of a range instead would not do: after a crash its own first
 * insert would look like an earlier one, and `daily`, which may have missed it, would not be made good.
 *
 * Rejects `PARTITION_LOST` when another worker owns the partition by now.
 */
export async function ingestPartition(
  partition: Partition,
  store: IngestionStore,
  limits: IngestionLimits,
  observer: IngestionObserver,
): Promise<void> {
  const persistence: PersistentOptions = {
    signal: partition.signal,
    firstPauseMs: limits.firstPauseMs,
    onTrouble: (error) => observer.onTrouble(error),
    onRecovery: (awayMs) => observer.onRecovery(awayMs),
  };
  const persist = <T>(attempt: () => Promise<T>) => persistently(attempt, persistence);

  const intent = await persist(() => partition.recordedIntent());
  if (intent !== null) await repeat(intent);
  while (!partition.signal.aborted) {
    const range = await persist(() => partition.readNext(limits));
    if (range === null) continue;
    await observer.onStep("read", range);
    for (const piece of await persist(() => cutAtRepeats(store, range))) {
      await (piece.isRepeated ? stepOver(piece.range) : ingest(piece.range));
    }
  }

  async function ingest(range: EventRange): Promise<void> {
    await persist(() => partition.recordIntent(range));
    await observer.onStep("intent", range);
    await complete(range);
  }

  async function stepOver(range: EventRange): Promise<void> {
    await persist(() => partition.commit(range));
    await observer.onStep("committed", range);
    observer.onRepeated(eventsIn(range));
  }

  async function repeat(open: RangeOfOrigin): Promise<void> {
    let range: EventRange;
    try {
      range = await persist(() => partition.readExactly(open));
    } catch (error) {
      if (!(error instanceof EventLogError) || error.code !== "RANGE_GONE") throw error;
      observer.onRangeGone(open, error);
      return persist(() => partition.commit(open));
    }
    // Records the same intent in this owner's name, which refuses a worker that has lost the partition meanwhile.
    await persist(() => partition.recordIntent(range));
    await complete(range);
  }

  async function complete(range: EventRange): Promise<void> {
    const refused = await persist(() => insert(partition, store, range));
    await observer.onStep("inserted", range);
    await persist(() => partition.commit(range));
    await observer.onStep("committed", range);
    observer.onIngested(eventsIn(range) - refused, refused);
  }
}

function eventsIn({ batches }: EventRange): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}

/** Inserts a range, or what is sound of it. Returns how many lines were put aside. */
async function insert(
  partition: Partition,
  store: Pick<StatsStore, "insertRange">,
  { origin, first, last, batches }: EventRange,
): Promise<number> {
  const rowRange: RowRange = {
    token: `${origin}:${first}-${last}`,
    rows: batches.map(({ rows }) => rows),
  };
  try {
    await store.insertRange(rowRange);
    return 0;
  } catch (error) {
    if (!(error instanceof StatsStoreError) || error.code !== "REFUSED") throw error;
  }
  const letters = await insertSoundLines(store, rowRange);
  if (letters.length > 0) await partition.putAside(letters);
  return letters.length;
}
