import { randomBytes } from "node:crypto";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { EventLogError } from "../errors.ts";
import type { DeadLetter, Offset, OffsetRange, PartitionBacklog, RangeOfOrigin } from "../port.ts";
import { inTransaction, openDatabase } from "./database.ts";
import { partitionId, type StoredBatch } from "./messages.ts";
import { Truncation } from "./truncation.ts";

type Row = Record<string, SQLOutputValue>;

/** The event log in one SQLite file: batches, offsets and dead letters. Synchronous; every change is durable on return. */
export class LocalFile {
  readonly logId: string;
  /** Random. A file that lost its end assigns the same offsets again, but in another session. */
  readonly sessionId = randomBytes(6).toString("hex");
  /** The last offset of earlier sessions. */
  readonly #lastOlder: Offset;
  readonly #database: DatabaseSync;
  readonly #maxDeadLetters: number;
  readonly #truncation: Truncation;
  readonly #marks: StatementSync;
  readonly #insertBatch: StatementSync;
  readonly #lastBatch: StatementSync;
  readonly #batches: StatementSync;
  readonly #oldest: StatementSync;

  constructor(file: string, maxFileBytes: number, maxDeadLetters: number) {
    this.#database = openDatabase(file, maxFileBytes);
    this.#truncation = new Truncation(this.#database);
    this.#maxDeadLetters = maxDeadLetters;
    const big = { readBigInts: true };
    this.#marks = this.#database.prepare("SELECT * FROM marks", big);
    this.#insertBatch = this.#database.prepare(
      "INSERT INTO batches (count, events_through, rows, appended_at) VALUES (?, ?, ?, ?)",
    );
    this.#lastBatch = this.#database.prepare(
      "SELECT offset, events_through FROM batches ORDER BY offset DESC LIMIT 1",
      big,
    );
    this.#batches = this.#database.prepare(
      "SELECT offset, count, rows, appended_at FROM batches WHERE offset BETWEEN ? AND ? ORDER BY offset",
      big,
    );
    this.#oldest = this.#database.prepare(
      "SELECT appended_at FROM batches WHERE offset > ? ORDER BY offset LIMIT 1",
      big,
    );
    this.logId = String(this.#readMarks().incarnation);
    this.#lastOlder = bigint(this.#lastBatch.get()?.offset ?? this.#readMarks().committed);
  }

  /** Appends all batches in one transaction, all or none. They are durable at its COMMIT, which waits for the disk once. */
  append(batches: readonly { readonly count: number; readonly rows: Uint8Array }[]): void {
    inTransaction(this.#database, () => {
      let eventsThrough = this.#eventsAppended();
      const now = Date.now();
      for (const { count, rows } of batches) {
        eventsThrough += count;
        this.#insertBatch.run(count, eventsThrough, rows, now);
      }
    });
  }

  /** Writes and syncs a page as an append does, without a change. */
  probe(): void {
    // Up and down again: SQLite writes no page for a row that does not change.
    inTransaction(this.#database, (database) =>
      database.exec("UPDATE marks SET epoch = epoch + 1; UPDATE marks SET epoch = epoch - 1"),
    );
  }

  /** The newest offset ever used; 0 for none. */
  end(): number {
    return Number(this.#lastBatch.get()?.offset ?? this.#readMarks().committed);
  }

  readNote(): string | null {
    const note = this.#database.prepare("SELECT note FROM installation").get()?.note;
    return typeof note === "string" ? note : null;
  }

  writeNote(note: string): void {
    this.#database
      .prepare(
        "INSERT INTO installation (partition, note) VALUES (0, ?) ON CONFLICT (partition) DO UPDATE SET note = excluded.note",
      )
      .run(note);
  }

  /** Starts a new epoch for the caller. From now on the owners of earlier epochs are refused. */
  takeOver(): number {
    const row = this.#database.prepare("UPDATE marks SET epoch = epoch + 1 RETURNING epoch").get();
    return Number(row?.epoch);
  }

  /** Intents of format 1 had no origin: theirs was the partition. */
  recordedIntent(): RangeOfOrigin | null {
    const { intent_first: first, intent_last: last, intent_origin: recorded } = this.#readMarks();
    const origin = typeof recorded === "string" ? recorded : partitionId(this.logId);
    return typeof first === "bigint" && typeof last === "bigint" ? { origin, first, last } : null;
  }

  /** What was appended and not yet committed. */
  backlog(): Omit<PartitionBacklog, "partition"> {
    const { committed, committed_events: counted } = this.#readMarks();
    const oldestAt = this.#oldest.get(bigint(committed))?.appended_at;
    return {
      events: this.#eventsAppended() - Number(counted),
      oldestAt: typeof oldestAt === "bigint" ? Number(oldestAt) : null,
    };
  }

  readNext(maxEvents: number, maxBytes: number): StoredBatch[] {
    const committed = bigint(this.#readMarks().committed);
    const taken: StoredBatch[] = [];
    let events = 0;
    let bytes = 0;
    for (const row of this.#batches.iterate(committed + 1n, MAX_OFFSET)) {
      const batch = this.#asBatch(row);
      events += batch.count;
      bytes += batch.rows.byteLength;
      if (taken.length > 0 && (events > maxEvents || bytes > maxBytes)) break;
      taken.push(batch);
    }
    return taken;
  }

  readExactly(range: OffsetRange): StoredBatch[] {
    const batches = this.#batches.all(range.first, range.last).map((row) => this.#asBatch(row));
    if (BigInt(batches.length) !== range.last - range.first + 1n)
      throw new EventLogError("RANGE_GONE", `The event log no longer holds ${range.first} to ${range.last}.`);
    return batches;
  }

  recordIntent(epoch: number, { origin, first, last }: RangeOfOrigin): void {
    this.#asOwner(epoch, () => {
      this.#database
        .prepare("UPDATE marks SET intent_first = ?, intent_last = ?, intent_origin = ?")
        .run(first, last, origin);
    });
  }

  /** The judgements of the range of that name; null if the last that were recorded are of another. */
  recordedJudgements(range: string): Uint8Array | null {
    const judgements = this.#database
      .prepare("SELECT judgements FROM judged WHERE range = ?")
      .get(range)?.judgements;
    return judgements instanceof Uint8Array ? judgements : null;
  }

  recordJudgements(epoch: number, range: string, judgements: Uint8Array): void {
    this.#asOwner(epoch, () => {
      this.#database
        .prepare("INSERT OR REPLACE INTO judged (partition, range, judgements) VALUES (0, ?, ?)")
        .run(range, judgements);
    });
  }

  /** Commits up to `last`. Idempotent. */
  commit(epoch: number, { last }: OffsetRange): void {
    this.#asOwner(epoch, (committed) => {
      if (committed >= last) return;
      this.#database
        .prepare(
          `UPDATE marks SET committed = :last, intent_first = NULL, intent_last = NULL, intent_origin = NULL,
             committed_events = coalesce(
             (SELECT events_through FROM batches WHERE offset <= :last ORDER BY offset DESC LIMIT 1), committed_events)`,
        )
        .run({ last });
    });
    this.#truncation.begin();
  }

  /** Keeps the dead letters and drops the oldest above the limit. Returns how many were dropped. */
  writeDeadLetters(epoch: number, letters: readonly DeadLetter[]): number {
    return this.#asOwner(epoch, () => {
      const insert = this.#database.prepare(
        "INSERT INTO dead_letters (put_aside_at, reason, line) VALUES (?, ?, ?)",
      );
      const now = new Date().toISOString();
      for (const { reason, line } of letters) insert.run(now, reason, line);
      const drop = this.#database.prepare(
        "DELETE FROM dead_letters WHERE id <= (SELECT max(id) FROM dead_letters) - ?",
      );
      return Number(drop.run(this.#maxDeadLetters).changes);
    });
  }

  /** One bounded step of truncating, or of returning space to the file system. Returns whether there is more to do. */
  tidy(): boolean {
    return this.#truncation.step();
  }

  close(): void {
    this.#database.close();
  }

  #asOwner<T>(epoch: number, body: (committed: bigint) => T): T {
    return inTransaction(this.#database, () => {
      const marks = this.#readMarks();
      if (Number(marks.epoch) !== epoch)
        throw new EventLogError("PARTITION_LOST", "Another worker now owns the event log's partition.");
      return body(bigint(marks.committed));
    });
  }

  #asBatch({ offset, count, rows, appended_at: appendedAt }: Row): StoredBatch {
    if (typeof offset !== "bigint" || typeof count !== "bigint" || !(rows instanceof Uint8Array))
      throw new EventLogError("DAMAGED", "The event log holds a batch of an unknown form.");
    return {
      offset,
      count: Number(count),
      rows,
      appendedAt: typeof appendedAt === "bigint" ? Number(appendedAt) : null,
      isOlder: offset <= this.#lastOlder,
    };
  }

  /** Events ever appended: from the newest batch, or from the committed offset when every batch is truncated. */
  #eventsAppended(): number {
    return Number(this.#lastBatch.get()?.events_through ?? this.#readMarks().committed_events);
  }

  #readMarks(): Row {
    const row = this.#marks.get();
    if (row === undefined) throw new EventLogError("DAMAGED", "The event log has lost its offsets.");
    return row;
  }
}

const MAX_OFFSET = 2n ** 63n - 1n;

function bigint(value: SQLOutputValue | undefined): bigint {
  if (typeof value !== "bigint")
    throw new EventLogError("DAMAGED", "The event log holds an offset of another type.");
  return value;
}
