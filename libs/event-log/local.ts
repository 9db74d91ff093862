import { Arrivals } from "./arrivals.ts";
import { EventLogError } from "./errors.ts";
import { LocalConsumer } from "./local-consumer.ts";
import { partitionId } from "./local-messages.ts";
import { LocalThread, type LocalThreadOptions } from "./local-thread.ts";
import type { EventBatch, EventConsumer, EventLog, PartitionWorker } from "./port.ts";

const MIB = 1024 * 1024;

export interface LocalEventLogOptions {
  /** The SQLite file; created where there is none, in a folder that exists. */
  readonly file: string;
  /** Bytes that may wait for the disk; beyond them appends are rejected. Default 64 MiB. */
  readonly maxPendingBytes?: number;
  /** Size the file may grow to while nobody ingests; beyond it appends are rejected. Default 16 GiB. */
  readonly maxFileBytes?: number;
  /** Dead letters kept; above it the oldest are dropped, with a warning. Default 100,000. */
  readonly maxDeadLetters?: number;
  /** Told in one sentence what a person should know: a limit met, a thread restarted, a worker that gave up. */
  readonly onWarning?: (message: string) => void;
  /** Starts the worker thread; for tests. */
  readonly createWorker?: LocalThreadOptions["createWorker"];
}

/**
 * Opens the event log kept in one SQLite file, which a thread of its own writes so that no append waits on the event
 * loop. Rejects with `EventLogError`: `DAMAGED` when the file is not a readable event log, else `UNAVAILABLE`.
 */
export async function openLocalEventLog(options: LocalEventLogOptions): Promise<LocalEventLog> {
  const onWarning = options.onWarning ?? (() => undefined);
  const thread = new LocalThread({
    file: options.file,
    maxFileBytes: options.maxFileBytes ?? 16 * 1024 * MIB,
    maxDeadLetters: options.maxDeadLetters ?? 100_000,
    onWarning,
    ...(options.createWorker && { createWorker: options.createWorker }),
  });
  const { incarnation } = await thread.open();
  return new SqliteEventLog({
    thread,
    partitionId: partitionId(incarnation),
    maxPendingBytes: options.maxPendingBytes ?? 64 * MIB,
    onWarning,
  });
}

/** An event log that keeps a note of the installation it belongs to, among its own data. */
export interface LocalEventLog extends EventLog {
  /** The newest offset that was ever used, 0 for none. Rejects with `EventLogError` while the file is away. */
  end(): Promise<number>;
  /** The text that was noted last; null before the first. */
  readNote(): Promise<string | null>;
  /** Resolves when the note is durable. */
  writeNote(note: string): Promise<void>;
}

interface LocalEventLogParts {
  readonly thread: LocalThread;
  readonly partitionId: string;
  readonly maxPendingBytes: number;
  readonly onWarning: (message: string) => void;
}

class SqliteEventLog implements LocalEventLog {
  readonly #parts: LocalEventLogParts;
  readonly #arrivals = new Arrivals();
  readonly #consumers = new Set<EventConsumer>();
  #pendingBytes = 0;
  #closing: Promise<void> | null = null;

  constructor(parts: LocalEventLogParts) {
    this.#parts = parts;
  }

  async append(batch: EventBatch): Promise<void> {
    this.#mustBeOpen();
    if (batch.count === 0) return;
    const bytes = batch.rows.byteLength;
    if (this.#pendingBytes + bytes > this.#parts.maxPendingBytes)
      throw new EventLogError(
        "UNAVAILABLE",
        `More than ${this.#parts.maxPendingBytes} bytes wait for the disk.`,
      );
    this.#pendingBytes += bytes;
    try {
      // Copied once and then transferred: a batch that is refused stays whole in its caller's hands, to be spilled.
      const rows = new Uint8Array(batch.rows);
      await this.#parts.thread.call("append", { count: batch.count, rows }, [rows.buffer]);
    } finally {
      this.#pendingBytes -= bytes;
    }
    this.#arrivals.add(batch.count);
  }

  /** The newest consumer owns the only partition; an older one is left without until it is closed. */
  async consume(worker: PartitionWorker): Promise<EventConsumer> {
    this.#mustBeOpen();
    const { thread, partitionId, onWarning } = this.#parts;
    const epoch = await thread.call("takeOver", undefined);
    this.#mustBeOpen();
    const consumer = new LocalConsumer(worker, {
      id: partitionId,
      epoch,
      thread,
      arrivals: this.#arrivals,
      ending: new AbortController(),
      onWarning,
    });
    this.#consumers.add(consumer);
    return {
      close: async () => {
        await consumer.close();
        this.#consumers.delete(consumer);
      },
    };
  }

  async probe(): Promise<void> {
    this.#mustBeOpen();
    await this.#parts.thread.call("probe", undefined);
  }

  async lag(): Promise<number> {
    this.#mustBeOpen();
    return this.#parts.thread.call("lag", undefined);
  }

  async end(): Promise<number> {
    this.#mustBeOpen();
    return this.#parts.thread.call("end", undefined);
  }

  async readNote(): Promise<string | null> {
    this.#mustBeOpen();
    return this.#parts.thread.call("readNote", undefined);
  }

  async writeNote(note: string): Promise<void> {
    this.#mustBeOpen();
    await this.#parts.thread.call("writeNote", note);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    await this.#parts.thread.close();
  }

  #mustBeOpen(): void {
    if (this.#closing !== null) throw new EventLogError("CLOSED", "The event log has been closed.");
  }
}
