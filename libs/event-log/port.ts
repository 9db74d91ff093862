/** The position of a batch in a partition. Grows by one per batch and is never used twice, even after truncation. */
export type Offset = bigint;

/** The encoded events of several requests, as one unit of I/O. */
export interface EventBatch {
  /** `JSONCompactEachRow` lines (see `encodeEventRow`), each ended by a newline. */
  readonly rows: Buffer;
  readonly count: number;
  /**
   * Set on appending, for a batch that may be appended again, here or by another process. All batches of one name go to the same
   * partition, so that ingestion sees one after the other. The ids of their events show that they may repeat.
   */
  readonly name?: string;
  /** Set on reading: when the log took it, in milliseconds since the epoch. Undefined where an earlier release did not record that. */
  readonly appendedAt?: number;
  /** Set on reading: some of its events may be stored already, so ingestion drops those that are. */
  readonly mayRepeat?: boolean;
}

/** Offsets from `first` to `last`, both included. */
export interface OffsetRange {
  readonly first: Offset;
  readonly last: Offset;
}

/**
 * A range with the origin of its offsets: the log's id, the partition, and a part that changes when a log that lost its end
 * may assign the same offsets again. Range and origin together are unique.
 */
export interface RangeOfOrigin extends OffsetRange {
  readonly origin: string;
}

/** The text that names a range, and no other. */
export function rangeName({ origin, first, last }: RangeOfOrigin): string {
  return `${origin}:${first}-${last}`;
}

/** Consecutive batches of one partition, the unit of ingestion. */
export interface EventRange extends RangeOfOrigin {
  readonly batches: readonly EventBatch[];
}

/** Limits of a read; a range is never empty. */
export interface ReadLimits {
  /** Returns null when nothing arrives within this time, in milliseconds. */
  readonly maxWaitMs: number;
  /** Waits this long for more after the first batch, in milliseconds. */
  readonly lingerMs: number;
  /** Ends the range before the batch that would pass this many events (but takes at least one batch). */
  readonly maxEvents: number;
  /** Ends the range before the batch that would pass this many bytes (but takes at least one batch). */
  readonly maxBytes: number;
}

/** A line that the stats store refused, with the reason, kept for the operator. */
export interface DeadLetter {
  readonly line: string;
  readonly reason: string;
}

/**
 * One partition while this process owns it. Its intent and its commit make ingestion exactly-once:
 *
 *     readNext ─▶ recordIntent(first, last, origin) ─▶ (judge) ─▶ recordJudgements ─▶ (insert under the token of the three) ─▶ commit(last)
 *        ▲                                                                                                                     │
 *        └─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
 *
 * After a crash or a change of owner, `recordedIntent` returns the range that may or may not have been inserted, and
 * `readExactly` reads exactly that range, so that its insert can be repeated under the same token.
 */
export interface Partition {
  /** Identifies the log and the partition. */
  readonly id: string;
  /** Aborted when the partition is lost or the consumer closes. */
  readonly signal: AbortSignal;
  /** The range of the last intent, or null when it is committed. */
  recordedIntent(): Promise<RangeOfOrigin | null>;
  /** The next range after the committed offset, or null when nothing came in time or the partition is lost. */
  readNext(limits: ReadLimits): Promise<EventRange | null>;
  /** The range as it was first read. Throws `EventLogError` `RANGE_GONE` when the log no longer holds all of it. */
  readExactly(range: RangeOfOrigin): Promise<EventRange>;
  /** Records the range that is about to be inserted. Throws `PARTITION_LOST` when another worker owns the partition. */
  recordIntent(range: RangeOfOrigin): Promise<void>;
  /** The judgements that were recorded for the range of an intent; null if there are none, or if the log keeps none. */
  recordedJudgements(range: RangeOfOrigin): Promise<Uint8Array | null>;
  /**
   * Records how the events of the range of the intent were judged, before they are inserted. A log whose readers share a judge keeps
   * nothing: the judge remembers it. Throws `PARTITION_LOST`.
   */
  recordJudgements(range: RangeOfOrigin, judgements: Uint8Array): Promise<void>;
  /** Records that everything up to `last` is in the stats store. Throws `PARTITION_LOST`. */
  commit(range: OffsetRange): Promise<void>;
  /** Stores lines that the stats store refuses, durably, before their range is committed. */
  writeDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
}

/** Works on a partition until its signal aborts. After a rejection, which is logged, it is called again. */
export type PartitionWorker = (partition: Partition) => Promise<void>;

export interface EventConsumer {
  /** Aborts the signals of the partitions, waits for the workers, leaves the group. */
  close(): Promise<void>;
}

/** The events of one partition that were appended and not yet committed. */
export interface PartitionBacklog {
  /** The partition's number within the log, from 0. */
  readonly partition: number;
  readonly events: number;
  /** When the oldest was appended, in milliseconds since the epoch; null where none waits, or where its time was not recorded. */
  readonly oldestAt: number | null;
}

/** What waits to be counted. Read from the log itself, so it does not depend on which processes run, or since when. */
export interface Backlog {
  readonly partitions: readonly PartitionBacklog[];
  /** The log deletes events of this age, counted or not, in milliseconds; null if it never does. */
  readonly retentionMs: number | null;
}

/** A durable, append-only log of event batches. */
export interface EventLog {
  /**
   * Resolves when the batch is durable (`infra/docs/exactly-once.md` says where). Rejects with `EventLogError` `UNAVAILABLE` when it
   * was not stored, `REFUSED` when it never will be, or `UNCLEAR` when it may be stored; the events must then not be acknowledged.
   */
  append(batch: EventBatch): Promise<void>;
  /** Shares the partitions with the other consumers of this log, and runs `worker` on each partition assigned to this one. */
  consume(worker: PartitionWorker): Promise<EventConsumer>;
  /** Resolves if a batch could probably be appended now. A log on a disk writes to it; Kafka is asked for its leader. */
  probe(): Promise<void>;
  /** Events appended and not yet committed, over all partitions. */
  lag(): Promise<number>;
  /** What waits, by partition, without what is in a spill. Rejects with `EventLogError` while the log does not say. */
  backlog(): Promise<Backlog>;
  /** Finishes what is in progress and releases every resource. */
  close(): Promise<void>;
}

/** An append in progress. */
export interface BegunAppend {
  /** For a repetition, when the caller does not wait for the end. */
  readonly retryToken: string;
  /** Ends as `append` does. */
  readonly done: Promise<void>;
}

/** A log whose appends can be repeated when their result is unclear. */
export interface RepeatableLog extends EventLog {
  /** Starts a first append. Unlike a repetition, it is not read back with `mayRepeat`. */
  begin(batch: EventBatch): BegunAppend;
  /**
   * As in any log. With a retry token it is a repetition, of an append that ended `UNCLEAR` or that a dead process may have
   * started: it goes to the same partition and is read back with `mayRepeat`.
   */
  append(batch: EventBatch, retryToken?: string): Promise<void>;
  /** An opaque token to keep for a batch that was never sent but whose append may happen twice. */
  newRetryToken(batch: Pick<EventBatch, "name">): string;
}

/** What the files of one queue of the spill hold. */
export interface SpillQueueState {
  readonly batches: number;
  readonly events: number;
}

/**
 * - `unsent`: the log certainly does not have the batch, so it can be replayed at once
 * - `unclear`: the log may have the batch or may still take it, so its replay waits for the quarantine
 */
export type SpillQueueName = "unsent" | "unclear";

/** The spill's content and its counters since the start, for metrics. */
export interface SpillState {
  readonly waitingBytes: number;
  readonly waitingBatches: number;
  /** What waits, by queue. */
  readonly waiting: Readonly<Record<SpillQueueName, SpillQueueState>>;
  /** Age of the oldest batch; 0 where none waits. */
  readonly oldestAgeSeconds: number;
  readonly maxBytes: number;
  /** True if hardly any batch fits. */
  readonly isFull: boolean;
  /** True while appends go to the spill because the log is away. */
  readonly logIsAway: boolean;
  /** Batches. */
  readonly spilled: number;
  readonly replayed: number;
  /** Batches rejected because the spill was full or could not be written to. */
  readonly refused: number;
}

/** An event log that accepts batches also while the log behind it is away. */
export interface SpillingLog extends EventLog {
  spillState(): SpillState;
}
