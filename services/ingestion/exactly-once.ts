import {
  EventLogError,
  type EventRange,
  type OffsetRange,
  type Partition,
  type RangeOfOrigin,
  type ReadLimits,
  rangeName,
} from "#libs/event-log/index.ts";
import {
  eventsOf,
  type Judge,
  type JudgedCount,
  type Judgement,
  judgedRows,
  type RangeLine,
  readLines,
} from "#libs/judge/index.ts";
import { type EventKey, type RowRange, type StatsStore, StatsStoreError } from "#libs/stats-store/index.ts";
import { decodeJudgements, encodeJudgements } from "./judgements.ts";
import { markKnownDuplicates } from "./known-duplicates.ts";
import { keptBatches, ownOriginOf } from "./left-out.ts";
import { type PersistentOptions, persistently } from "./persistent.ts";
import { withoutRepeats } from "./repeats.ts";
import { insertValidLines } from "./valid-lines.ts";

/** The step just finished for a range. */
export type IngestionStep = "read" | "intent" | "judged" | "inserted" | "committed";

/** The part of the stats store that ingestion uses. */
export type IngestionStore = Pick<
  StatsStore,
  "insertRange" | "storedIds" | "formOfRows" | "storedOfRequests" | "countedVisits"
>;

export interface IngestionLimits extends ReadLimits {
  /** The pause after a first failure, in milliseconds; it doubles up to 10 s. */
  readonly firstPauseMs: number;
}

/** Callbacks for metrics, logs and tests. */
export interface IngestionObserver {
  onStep(step: IngestionStep, range: OffsetRange): void | Promise<void>;
  /** A range is in the store and committed; `refused` of its lines are in the dead letters. */
  onIngested(events: number, refused: number, judged: readonly JudgedCount[]): void;
  /** Events that the log had twice were skipped. */
  onRepeated(events: number): void;
  onTrouble(error: Error): void;
  /** A step has failed for a minute. */
  onBlocked(error: Error): void;
  onRecovery(awayMs: number): void;
  /** The log lost a range that may not be in the store; ingestion continues behind it. */
  onRangeGone(range: OffsetRange, error: Error): void;
}

/**
 * Moves a partition's events into the stats store, each exactly once, until the partition's signal aborts.
 *
 *     read a range ─▶ leave out repeats ─┬▶ record the intent ─▶ judge ─▶ insert under the range's token ─▶ commit
 *                                        └▶ (nothing but repeats) commit
 *
 * After a crash before the intent nothing has to be repeated, since nothing was inserted. A crash after it leaves the
 * intent: the next owner reads exactly that range and inserts it under the same token, and the store drops it if it has it.
 * Between an intent and its commit there is never another range, so no event gets two tokens. Token and intent contain the
 * range's origin, so two ranges never share a token, even if a log that lost its end assigns the same offsets again.
 *
 * Events that the log may have twice are looked up before the intent, when everything in the store has lower offsets. They are
 * not looked up again after a crash: the lookup would find the events of the range's own first insert and leave them out, although
 * `daily` may lack them. So what is left out of a range is recorded with its intent (`left-out.ts`), and the range is repeated byte
 * for byte. A range of which nothing is left is committed without an insert.
 *
 * Judging changes what the judge knows, so it is done once for each range. The intent comes before: it fixes which events the range
 * has, whoever finishes it. The judgements belong to the range's token. A judge that several readers share remembers them; the local
 * log, whose judge dies with the process, has them from `recordJudgements`. So `events` and `daily` get the same rows from the first
 * insert, from its repetition and from an owner that woke up late. A range whose rows an earlier release has inserted, without their
 * sources or places, gets the same rows again: `quarter` and `wide` count such rows apart from those that have them.
 *
 * Rejects with `PARTITION_LOST` when another worker owns the partition.
 */
export async function ingestPartition(
  partition: Partition,
  store: IngestionStore,
  judge: Judge,
  limits: IngestionLimits,
  observer: IngestionObserver,
): Promise<void> {
  const persistence: PersistentOptions = {
    signal: partition.signal,
    firstPauseMs: limits.firstPauseMs,
    onTrouble: (error) => observer.onTrouble(error),
    onBlocked: (error) => observer.onBlocked(error),
    onRecovery: (awayMs) => observer.onRecovery(awayMs),
  };
  const persist = <T>(attempt: () => Promise<T>) => persistently(attempt, persistence);

  const intent = await persist(() => partition.recordedIntent());
  if (intent !== null) await repeat(intent);
  while (!partition.signal.aborted) {
    const range = await persist(() => partition.readNext(limits));
    if (range === null) continue;
    await observer.onStep("read", range);
    for (const piece of await persist(() => withoutRepeats(store, range))) {
      await (piece.isRepeated ? skip(piece.range) : ingest(piece.range));
    }
  }

  async function ingest(range: EventRange): Promise<void> {
    await persist(() => partition.recordIntent(range));
    await observer.onStep("intent", range);
    await complete(range, false);
  }

  async function skip(range: EventRange): Promise<void> {
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
    // Recorded again in this owner's name: that fails if the partition was lost in the meantime.
    await persist(() => partition.recordIntent(range));
    await complete(range, true);
  }

  async function judgementsOf(range: EventRange, lines: readonly RangeLine[]): Promise<readonly Judgement[]> {
    const events = eventsOf(lines);
    if (events.length === 0) return [];
    const judged = { origin: ownOriginOf(range), first: range.first, name: rangeName(range) };
    const judgements = await persist(async () =>
      judge.judge(await markKnownDuplicates(store, judge, lines, events), judged),
    );
    await persist(() => partition.recordJudgements(range, encodeJudgements(judgements)));
    return judgements;
  }

  async function complete(range: EventRange, isRepeated: boolean): Promise<void> {
    const { batches, leftOut } = keptBatches(range);
    const lines = await readLines(batches);
    const recorded = isRepeated ? await persist(() => partition.recordedJudgements(range)) : null;
    const judgements =
      recorded === null ? await judgementsOf(range, lines) : decodeJudgements(recorded, lines.length);
    const form = isRepeated ? await persist(() => store.formOfRows(keysOf(lines))) : "whole";
    await observer.onStep("judged", range);
    const { rows, judged } = await judgedRows(lines, judgements, form);
    const refused = await persist(() => insert(partition, store, range, rows));
    await observer.onStep("inserted", range);
    await persist(() => partition.commit(range));
    await observer.onStep("committed", range);
    if (leftOut > 0) observer.onRepeated(leftOut);
    observer.onIngested(eventsIn(range) - leftOut - refused, refused, judged);
  }
}

function keysOf(lines: readonly RangeLine[]): EventKey[] {
  return lines.flatMap((each) => (typeof each === "string" ? [] : each.line));
}

function eventsIn({ batches }: EventRange): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}

/** Inserts a range, or its valid lines. Returns the number of lines that went to the dead letters. */
async function insert(
  partition: Partition,
  store: Pick<StatsStore, "insertRange">,
  range: EventRange,
  rows: readonly Buffer[],
): Promise<number> {
  const rowRange: RowRange = { token: rangeName(range), rows };
  try {
    await store.insertRange(rowRange);
    return 0;
  } catch (error) {
    if (!(error instanceof StatsStoreError) || error.code !== "REFUSED") throw error;
  }
  const letters = await insertValidLines(store, rowRange);
  if (letters.length > 0) await partition.writeDeadLetters(letters);
  return letters.length;
}
