import { Worker, type WorkerOptions } from "node:worker_threads";
import { Backoff } from "#libs/async/index.ts";
import { EventLogError } from "../errors.ts";
import type {
  LocalMessage,
  LocalOperation,
  LocalOperations,
  LocalWorkerData,
  OpenedLog,
} from "./messages.ts";

const RESTARTS = { firstMs: 50, longestMs: 5000 };

export interface LocalThreadOptions extends Omit<LocalWorkerData, "logId"> {
  readonly onWarning: (message: string) => void;
  /** Starts the worker; for tests. */
  readonly createWorker?: (file: URL, options: WorkerOptions) => Worker;
}

interface PendingCall {
  readonly operation: LocalOperation;
  /** A method, since its parameter varies with the operation. */
  resolve(answer: unknown): void;
  reject(error: EventLogError): void;
}

/**
 * The caller's side of the worker thread that holds the file.
 *
 *     starting ─opened─▶ open ─died─▶ down ─pause─▶ starting      (the pauses double up to 5 s; opening resets them)
 *     any ─close()─▶ closing ─exit─▶ closed
 *
 * Calls are accepted only while it is open. When the thread dies, pending calls are rejected with `UNAVAILABLE`, and
 * pending appends with `UNCLEAR`.
 */
export class LocalThread {
  readonly #options: LocalThreadOptions;
  readonly #calls = new Map<number, PendingCall>();
  #state: "starting" | "open" | "down" | "closing" | "closed" = "starting";
  #worker: Worker | null = null;
  #exited: Promise<void> = Promise.resolve();
  #opened: OpenedLog | null = null;
  #lastCall = 0;
  readonly #backoff = new Backoff(RESTARTS);
  #restart: NodeJS.Timeout | undefined;
  readonly #opening = Promise.withResolvers<OpenedLog>();

  constructor(options: LocalThreadOptions) {
    this.#options = options;
  }

  /** The newest session: a restarted thread opens the file again. */
  get opened(): OpenedLog | null {
    return this.#opened;
  }

  /** Opens the file. Rejects with the worker's reason when it cannot be opened. */
  async open(): Promise<OpenedLog> {
    this.#start();
    try {
      return await this.#opening.promise;
    } catch (error) {
      this.#state = "closed";
      clearTimeout(this.#restart);
      await this.#exited;
      throw error;
    }
  }

  call<K extends LocalOperation>(
    operation: K,
    ask: LocalOperations[K]["ask"],
    transfer: ArrayBuffer[] = [],
  ): Promise<LocalOperations[K]["answer"]> {
    const worker = this.#worker;
    if (this.#state !== "open" || worker === null) return Promise.reject(this.#notOpen());
    const { promise, resolve, reject } = Promise.withResolvers<LocalOperations[K]["answer"]>();
    const id = ++this.#lastCall;
    this.#calls.set(id, { operation, resolve, reject });
    worker.postMessage({ id, operation, ask }, transfer);
    return promise;
  }

  /** Closes the file after all earlier calls, and ends the thread. */
  async close(): Promise<void> {
    if (this.#state === "closed") return;
    // The thread may exit before its answer is handled: its end is expected from here on.
    const asked = this.#state === "open" ? this.call("close", undefined) : this.#worker?.terminate();
    this.#state = "closing";
    clearTimeout(this.#restart);
    await Promise.resolve(asked).catch(() => undefined);
    await this.#exited;
    this.#state = "closed";
  }

  #start(): void {
    this.#state = "starting";
    const { file, maxFileBytes, maxDeadLetters, createWorker } = this.#options;
    const workerData: LocalWorkerData = {
      file,
      maxFileBytes,
      maxDeadLetters,
      logId: this.#opened?.logId ?? null,
    };
    const url = new URL("./worker.ts", import.meta.url);
    const worker = createWorker?.(url, { workerData }) ?? new Worker(url, { workerData });
    const exited = Promise.withResolvers<void>();
    this.#worker = worker;
    this.#exited = exited.promise;
    let reason = "it ended";
    worker.on("message", (message: LocalMessage) => this.#take(message));
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", () => {
      this.#afterExit(reason);
      exited.resolve();
    });
  }

  #take(message: LocalMessage): void {
    switch (message.kind) {
      case "opened":
        this.#opened = { logId: message.logId, sessionId: message.sessionId };
        this.#state = "open";
        this.#backoff.reset();
        this.#opening.resolve(this.#opened);
        break;
      case "refused": {
        const error = new EventLogError(message.failure.code, message.failure.message);
        if (this.#opened === null) this.#opening.reject(error);
        else this.#warn(error.message);
        break;
      }
      case "answer":
        this.#settle(message.id)?.resolve(message.answer);
        break;
      case "failure":
        this.#settle(message.id)?.reject(new EventLogError(message.failure.code, message.failure.message));
        break;
      case "warning":
        this.#warn(message.message);
        break;
    }
  }

  #settle(id: number): PendingCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #afterExit(reason: string): void {
    this.#worker = null;
    for (const [id, { operation }] of [...this.#calls])
      this.#settle(id)?.reject(operation === "append" ? appendUnclear(reason) : this.#notOpen());
    if (this.#isEnding()) return;
    const error = new EventLogError("UNAVAILABLE", `The event log's thread died: ${reason}`);
    this.#opening.reject(error);
    if (this.#state === "open") this.#warn(error.message);
    this.#state = "down";
    this.#restart = setTimeout(() => this.#start(), this.#backoff.next());
  }

  #warn(message: string): void {
    if (!this.#isEnding()) this.#options.onWarning(message);
  }

  #isEnding(): boolean {
    return this.#state === "closing" || this.#state === "closed";
  }

  #notOpen(): EventLogError {
    return this.#isEnding()
      ? new EventLogError("CLOSED", "The event log has been closed.")
      : new EventLogError("UNAVAILABLE", "The event log's thread died and is being restarted.");
  }
}

/** The events may have been durable before the thread died. */
function appendUnclear(reason: string): EventLogError {
  return new EventLogError("UNCLEAR", `The event log's thread died during an append: ${reason}`);
}
