/** A position in a partition. Grows by one a batch and is never used twice, also after truncation. */
export type Offset = bigint;

/** The events of some requests, encoded, as one unit of I/O. */
export interface EventBatch {
  /** `JSONCompactEachRow` lines (see `encodeEventRow`), each ended by a newline. */
  readonly rows: Buffer;
  readonly count: number;
  /** As read from the log: some of its events may be stored already, so ingestion drops those that are. */
  readonly mayRepeat?: boolean;
}

/** Offsets from `first` to `last`, both included. */
export interface OffsetRange {
  readonly first: Offset;
  readonly last: Offset;
}

/**
 * A range with where its offsets come from: the log's incarnation, the partition, and what tells apart two events that
 * were given the same offset, because a log had lost its end. Range and origin together never recur.
 */
export interface RangeOfOrigin extends OffsetRange {
  readonly origin: string;
}

/** A run of batches read from one partition, the unit of ingestion. */
export interface EventRange extends RangeOfOrigin {
  readonly batches: readonly EventBatch[];
}

/** How much a read waits for and takes at most; a range is never empty. */
export interface ReadLimits {
  /** Gives up (with null) when nothing has arrived for so long, in milliseconds. */
  readonly maxWaitMs: number;
  /** After the first batch has arrived, waits so long for more, in milliseconds. */
  readonly lingerMs: number;
  /** Ends the range before the batch that would pass this many events (but takes at least one batch). */
  readonly maxEvents: number;
  /** Ends the range before the batch that would pass this many bytes (but takes at least one batch). */
  readonly maxBytes: number;
}

/** A refused line, kept with the reason so that a person can look at it. */
export interface DeadLetter {
  readonly line: string;
  readonly reason: string;
}

/**
 * One partition while this process owns it. Its two marks make ingestion exactly-once:
 *
 *     readNext ─▶ recordIntent(first, last, origin) ─▶ (insert under the token of the three) ─▶ commit(last)
 *        ▲                                                                                          │
 *        └──────────────────────────────────────────────────────────────────────────────────────────┘
 *
 * After a crash or a change of owner, `recordedIntent` gives the range that may or may not have been inserted;
 * `readExactly` reads precisely it again, so that it can be repeated under the same token.
 */
export interface Partition {
  /** Names the log's incarnation and the partition. */
  readonly id: string;
  /** Aborted when the partition is taken away or the consumer closes. */
  readonly signal: AbortSignal;
  /** The range of the last intent, or null when it has been committed. */
  recordedIntent(): Promise<RangeOfOrigin | null>;
  /** The next range after what is committed, or null when nothing came in time or the partition is lost. */
  readNext(limits: ReadLimits): Promise<EventRange | null>;
  /** The range as it was first read. Throws `EventLogError` `RANGE_GONE` when the log no longer holds it all. */
  readExactly(range: RangeOfOrigin): Promise<EventRange>;
  /** Records what is about to be inserted. Throws `PARTITION_LOST` when another worker owns the partition by now. */
  recordIntent(range: RangeOfOrigin): Promise<void>;
  /** Records that everything up to `last` is in the stats store. Throws `PARTITION_LOST`. */
  commit(range: OffsetRange): Promise<void>;
  /** Puts lines that the stats store refuses aside, durably, before their range is committed. */
  putAside(letters: readonly DeadLetter[]): Promise<void>;
}

/** Works on a partition until its signal aborts. A rejection is logged and the partition is offered again. */
export type PartitionWorker = (partition: Partition) => Promise<void>;

export interface EventConsumer {
  /** Stops offering partitions, aborts their signals, waits for the workers, leaves the group. */
  close(): Promise<void>;
}

/** A durable, append-only log of event batches. */
export interface EventLog {
  /**
   * Resolves when the batch survives the death of every process on this machine. Rejects with `EventLogError`
   * `UNAVAILABLE` when that could not be had, `REFUSED` when it never will be, or `UNCLEAR` when it may or may not have
   * been had; the events then must not be acknowledged.
   */
  append(batch: EventBatch): Promise<void>;
  /** Shares the partitions with all other consumers of this log and runs `worker` on each that falls to this one. */
  consume(worker: PartitionWorker): Promise<EventConsumer>;
  /** Resolves when a batch could be appended now; rejects otherwise. Writes to the disk as an append does, but no events. */
  probe(): Promise<void>;
  /** Events appended and not yet committed, over all partitions. */
  lag(): Promise<number>;
  /** Finishes what was begun and lets go of every resource. */
  close(): Promise<void>;
}

/** An append under way, named before it has ended. */
export interface BegunAppend {
  /** What a repetition goes by, should the caller not want to wait for the end. */
  readonly attempt: string;
  /** Ends as `append` does. */
  readonly done: Promise<void>;
}

/** A log whose appends can be repeated when it is not known whether they happened. */
export interface RepeatableLog extends EventLog {
  /** Begins a first append, which is not read back with `mayRepeat` for being begun in this way. */
  begin(batch: EventBatch): BegunAppend;
  /**
   * As in any log. With `attempt` it is a repetition (of an append that ended `UNCLEAR`, or of one that may have been
   * begun by a process that died): it goes to where the first went and is read back with `mayRepeat`.
   */
  append(batch: EventBatch, attempt?: string): Promise<void>;
  /** An attempt, opaque and worth keeping, for a batch that was never sent but whose append may happen twice. */
  newAttempt(): string;
}
