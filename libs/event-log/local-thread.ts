import { Worker, type WorkerOptions } from "node:worker_threads";
import { EventLogError } from "./errors.ts";
import type {
  LocalMessage,
  LocalOpening,
  LocalOperation,
  LocalOperations,
  LocalWorkerData,
} from "./local-messages.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

export interface LocalThreadOptions extends Omit<LocalWorkerData, "incarnation"> {
  readonly onWarning: (message: string) => void;
  /** Starts the worker; tests keep hold of it here. */
  readonly createWorker?: (file: URL, options: WorkerOptions) => Worker;
}

interface PendingCall {
  readonly operation: LocalOperation;
  /** A method, because each call takes the answer of its own operation. */
  resolve(answer: unknown): void;
  reject(error: EventLogError): void;
}

/**
 * The worker thread that holds the file, seen from the caller's side.
 *
 *     starting ─opened─▶ open ─died─▶ down ─pause─▶ starting      (the pause doubles up to 5 s, an opening resets it)
 *     any ─close()─▶ closing ─exit─▶ closed
 *
 * Calls are only taken while it is open; those that a dying thread leaves behind are rejected `UNAVAILABLE`, appends
 * `UNCLEAR`.
 */
export class LocalThread {
  readonly #options: LocalThreadOptions;
  readonly #calls = new Map<number, PendingCall>();
  #state: "starting" | "open" | "down" | "closing" | "closed" = "starting";
  #worker: Worker | null = null;
  #exited: Promise<void> = Promise.resolve();
  #opened: LocalOpening | null = null;
  #lastCall = 0;
  #pause = FIRST_PAUSE_MS;
  #restart: NodeJS.Timeout | undefined;
  readonly #opening = Promise.withResolvers<LocalOpening>();

  constructor(options: LocalThreadOptions) {
    this.#options = options;
  }

  /** The newest opening: a thread that is started again opens the file again. */
  get opened(): LocalOpening | null {
    return this.#opened;
  }

  /** Opens the file and says which it is. Rejects with the worker's reason when it cannot be opened. */
  async open(): Promise<LocalOpening> {
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
    if (this.#state !== "open" || worker === null) return Promise.reject(this.#away());
    const { promise, resolve, reject } = Promise.withResolvers<LocalOperations[K]["answer"]>();
    const id = ++this.#lastCall;
    this.#calls.set(id, { operation, resolve, reject });
    worker.postMessage({ id, operation, ask }, transfer);
    return promise;
  }

  /** Closes the file after everything asked before, and ends the thread. */
  async close(): Promise<void> {
    if (this.#state === "closed") return;
    // The thread may be gone before its answer has been looked at: its end is expected from here on.
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
      incarnation: this.#opened?.incarnation ?? null,
    };
    const url = new URL("./local-worker.ts", import.meta.url);
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
        this.#opened = { incarnation: message.incarnation, opening: message.opening };
        this.#state = "open";
        this.#pause = FIRST_PAUSE_MS;
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
      this.#settle(id)?.reject(operation === "append" ? appendUnclear(reason) : this.#away());
    if (this.#isEnding()) return;
    const error = new EventLogError("UNAVAILABLE", `The event log's thread died: ${reason}`);
    this.#opening.reject(error);
    if (this.#state === "open") this.#warn(error.message);
    this.#state = "down";
    this.#restart = setTimeout(() => this.#start(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  #warn(message: string): void {
    if (!this.#isEnding()) this.#options.onWarning(message);
  }

  #isEnding(): boolean {
    return this.#state === "closing" || this.#state === "closed";
  }

  #away(): EventLogError {
    return this.#isEnding()
      ? new EventLogError("CLOSED", "The event log has been closed.")
      : new EventLogError("UNAVAILABLE", "The event log's thread is away and is being restarted.");
  }
}

/** The thread may have had the events on the disk and died before it could say so. */
function appendUnclear(reason: string): EventLogError {
  return new EventLogError("UNCLEAR", `The event log's thread died over an append: ${reason}`);
}
