import { keepRunning } from "#libs/async/index.ts";
import { Arrivals } from "../arrivals.ts";
import { EventLogError } from "../errors.ts";
import type { Backlog, EventBatch, EventConsumer, EventLog, PartitionWorker } from "../port.ts";
import { partitionId } from "./messages.ts";
import { LocalPartition } from "./partition.ts";
import { LocalThread, type LocalThreadOptions } from "./thread.ts";

const MIB = 1024 * 1024;
const WORKER_RESTARTS = { firstMs: 100, longestMs: 5000 };

export interface LocalEventLogOptions {
  /** The SQLite file. Created when it is missing, in an existing folder. */
  readonly file: string;
  /** Bytes that may wait for the disk; further appends are rejected. Default 64 MiB. */
  readonly maxPendingBytes?: number;
  /** The file's size while nothing is ingested; beyond it appends are rejected. Default 16 GiB. */
  readonly maxFileBytes?: number;
  /** Dead letters kept; above it the oldest are dropped, with a warning. Default 100,000. */
  readonly maxDeadLetters?: number;
  /** Called with one sentence for the operator: a limit reached, a thread restarted, a worker that failed. */
  readonly onWarning?: (message: string) => void;
  /** Starts the worker thread; for tests. */
  readonly createWorker?: LocalThreadOptions["createWorker"];
}

/** Opens the log; a worker thread writes it. Rejects with `EventLogError`: `DAMAGED` for no readable log, `UNAVAILABLE`. */
export async function openLocalEventLog(options: LocalEventLogOptions): Promise<LocalEventLog> {
  const onWarning = options.onWarning ?? (() => undefined);
  const thread = new LocalThread({
    file: options.file,
    maxFileBytes: options.maxFileBytes ?? 16 * 1024 * MIB,
    maxDeadLetters: options.maxDeadLetters ?? 100_000,
    onWarning,
    ...(options.createWorker && { createWorker: options.createWorker }),
  });
  const { logId } = await thread.open();
  return new SqliteEventLog({
    thread,
    partitionId: partitionId(logId),
    maxPendingBytes: options.maxPendingBytes ?? 64 * MIB,
    onWarning,
  });
}

/** An event log that also keeps the note of the installation that it belongs to. */
export interface LocalEventLog extends EventLog {
  /** The newest offset ever used, 0 for none. Rejects with `EventLogError` while the file cannot be read. */
  end(): Promise<number>;
  /** The installation's note; null before the first. */
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
      // Copied and then transferred: the caller keeps its batch and can spill it after a refusal.
      const rows = new Uint8Array(batch.rows);
      await this.#parts.thread.call("append", { count: batch.count, rows }, [rows.buffer]);
    } finally {
      this.#pendingBytes -= bytes;
    }
    this.#arrivals.add(batch.count);
  }

  /** The newest consumer owns the only partition. An older one idles until it is closed. */
  async consume(worker: PartitionWorker): Promise<EventConsumer> {
    this.#mustBeOpen();
    const { thread, partitionId, onWarning } = this.#parts;
    const epoch = await thread.call("takeOver", undefined);
    this.#mustBeOpen();
    const ending = new AbortController();
    const options = { id: partitionId, epoch, thread, arrivals: this.#arrivals, ending, onWarning };
    const running = keepRunning(() => worker(new LocalPartition(options)), {
      ...WORKER_RESTARTS,
      signal: ending.signal,
      onFailure: (error) => onWarning(`The worker of ${partitionId} failed: ${String(error)}`),
    });
    const consumer = {
      close: async () => {
        ending.abort();
        await running;
        this.#consumers.delete(consumer);
      },
    };
    this.#consumers.add(consumer);
    return consumer;
  }

  async probe(): Promise<void> {
    this.#mustBeOpen();
    await this.#parts.thread.call("probe", undefined);
  }

  async lag(): Promise<number> {
    this.#mustBeOpen();
    return (await this.#parts.thread.call("backlog", undefined)).events;
  }

  async backlog(): Promise<Backlog> {
    this.#mustBeOpen();
    const waiting = await this.#parts.thread.call("backlog", undefined);
    return { partitions: [{ partition: 0, ...waiting }], retentionMs: null };
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
