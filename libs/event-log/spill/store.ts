import { createThrottledWarning, type ThrottledWarning } from "#libs/async/index.ts";
import type { EventBatch, SpillQueueName, SpillState } from "../port.ts";
import { SpillAdoption } from "./adoption.ts";
import { SpillBudget } from "./budget.ts";
import { drainQueue, type SpillDrainerOptions } from "./drainer.ts";
import { type FolderLease, messageOf } from "./folder.ts";
import { type SpillPosition, SpillQueue } from "./queue.ts";

export interface SpillStoreOptions {
  /** The spill's folder, which holds those of all processes. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly quarantineMs: number;
  readonly onWarning: (message: string) => void;
}

/** How a queue is drained. */
export type Draining = Pick<SpillDrainerOptions, "log" | "concurrency" | "onLog"> & {
  /** How long a file waits after its last batch, in milliseconds. Default 0. */
  readonly restMs?: number;
};

const MIB = 1024 * 1024;
/** The share of `maxBytes` above which hardly any batch fits. */
const FULL = 0.99;
const MAX_SEGMENT_BYTES = 8 * MIB;
/** The quarantine counts from a file's last batch, so its first batch waits longer by this fraction of the quarantine. */
const FILES_PER_QUARANTINE = 8;

/** The spill's queues on the disk, which share a budget, and what drains them. */
export class SpillStore {
  readonly #lease: FolderLease;
  readonly #onWarning: (message: string) => void;
  readonly #warn: ThrottledWarning;
  readonly #budget: SpillBudget;
  readonly #queues: Readonly<Record<SpillQueueName, SpillQueue>>;
  readonly #adoption: SpillAdoption;
  readonly #ending = new AbortController();
  readonly #drains: Promise<void>[] = [];
  #counts = { spilled: 0, replayed: 0, refused: 0 };

  constructor(lease: FolderLease, { folder, maxBytes, quarantineMs, onWarning }: SpillStoreOptions) {
    this.#lease = lease;
    this.#onWarning = onWarning;
    this.#warn = createThrottledWarning(onWarning);
    const budget = new SpillBudget(maxBytes);
    const segmentBytes = Math.min(MAX_SEGMENT_BYTES, Math.ceil(maxBytes / 8));
    const queue = (name: SpillQueueName, segmentMs = Number.POSITIVE_INFINITY) =>
      new SpillQueue({ name, path: lease.path, segmentBytes, segmentMs, budget });
    this.#budget = budget;
    this.#queues = {
      unsent: queue("unsent"),
      unclear: queue("unclear", quarantineMs / FILES_PER_QUARANTINE),
    };
    this.#adoption = new SpillAdoption({ folder, lease, queues: this.#queues, onWarning });
  }

  /** Adopts what earlier processes have left. Rejects when the folder cannot be read. */
  async open(): Promise<void> {
    await this.#adoption.open();
  }

  get path(): string {
    return this.#lease.path;
  }

  get isFull(): boolean {
    return this.#budget.bytes >= this.#budget.maxBytes * FULL;
  }

  isEmpty(name: SpillQueueName): boolean {
    return this.#queues[name].isEmpty;
  }

  /** Resolves when the batch is durable. Rejects with `EventLogError` `UNAVAILABLE`, and says so to the operator. */
  async write(name: SpillQueueName, { rows, count }: EventBatch, retryToken: string): Promise<SpillPosition> {
    try {
      const position = await this.#queues[name].write({ rows, count, retryToken, spilledAt: Date.now() });
      this.#counts.spilled += 1;
      return position;
    } catch (error) {
      this.#counts.refused += 1;
      this.#warn(`${messageOf(error)} Events are refused until that ends.`, undefined, "refused");
      throw error;
    }
  }

  /** Replays a queue from now on until `stopDraining`. */
  drain(name: SpillQueueName, draining: Draining): void {
    const replaying = drainQueue({
      restMs: 0,
      ...draining,
      queue: this.#queues[name],
      path: this.#lease.path,
      signal: this.#ending.signal,
      onReplayed: () => {
        this.#counts.replayed += 1;
      },
      onWarning: this.#onWarning,
    });
    this.#drains.push(replaying);
  }

  get waitingEvents(): number {
    return Object.values(this.#queues).reduce((sum, { state }) => sum + state.events, 0);
  }

  state(): Omit<SpillState, "logIsAway"> {
    const { unsent, unclear } = this.#queues;
    const waiting = { unsent: unsent.state, unclear: unclear.state };
    const oldestAt = Math.min(...Object.values(this.#queues).map((queue) => queue.oldestAt));
    return {
      waitingBytes: this.#budget.bytes,
      waitingBatches: Object.values(waiting).reduce((sum, { batches }) => sum + batches, 0),
      waiting,
      oldestAgeSeconds: Number.isFinite(oldestAt) ? Math.max(0, (Date.now() - oldestAt) / 1000) : 0,
      maxBytes: this.#budget.maxBytes,
      isFull: this.isFull,
      ...this.#counts,
    };
  }

  /** Ends adoption and replays. What waits stays on the disk. */
  async stopDraining(): Promise<void> {
    const adopted = this.#adoption.close();
    this.#ending.abort();
    await adopted;
    await Promise.all(this.#drains);
  }

  /** Finishes the writes in progress and releases the folder. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
    this.#lease.release();
  }
}
