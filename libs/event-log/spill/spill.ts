import { join } from "node:path";
import { createThrottledWarning, type ThrottledWarning, TimeoutError, within } from "#libs/async/index.ts";
import { writeDurably } from "#libs/files/index.ts";
import { EventLogError } from "../errors.ts";
import type {
  BegunAppend,
  EventBatch,
  EventConsumer,
  PartitionWorker,
  RepeatableLog,
  SpillingLog,
  SpillState,
} from "../port.ts";
import { SpillAdoption } from "./adoption.ts";
import { drainQueue } from "./drainer.ts";
import { acquireLease, type FolderLease, messageOf, type QueueName } from "./folder.ts";
import { SpillBudget, type SpillPosition, SpillQueue } from "./queue.ts";

export interface SpillOptions {
  /** Several processes may share it: each uses a folder of its own in it, and adopts those of dead processes. */
  readonly folder: string;
  /** Bytes of this process that may wait in the spill; further appends are rejected. Default 1 GiB. */
  readonly maxBytes?: number;
  /** How long a batch that the log may still take waits before it is replayed, in milliseconds. Default 30,000. */
  readonly quarantineMs?: number;
  /** An append that takes longer goes to the spill, in milliseconds. Default 1,500. */
  readonly slowMs?: number;
  /** Called with one sentence for the operator: the log is away, the spill is full, a file is damaged. */
  readonly onWarning?: (message: string) => void;
}

const MIB = 1024 * 1024;
/** The share of `maxBytes` above which hardly any batch fits. */
const FULL = 0.99;
const MAX_SEGMENT_BYTES = 8 * MIB;
/** The quarantine counts from a file's last batch, so its first batch waits longer by this fraction of the quarantine. */
const FILES_PER_QUARANTINE = 8;

/**
 * Puts a spill in front of a log: a batch that the log does not take in time is stored in a file, acknowledged and replayed
 * later, if need be by the next process. Closing it closes the log. Rejects with `EventLogError` `UNAVAILABLE` if the folder cannot be used.
 */
export async function openSpill(log: RepeatableLog, options: SpillOptions): Promise<SpillingLog> {
  const lease = await acquireLease(options.folder);
  const spill = new Spill(log, lease, options);
  try {
    await spill.open();
  } catch (error) {
    lease.release();
    throw new EventLogError(
      "UNAVAILABLE",
      `The spill in ${lease.path} cannot be opened: ${messageOf(error)}.`,
      {
        cause: error,
      },
    );
  }
  return spill;
}

/**
 *     direct ──the log is away, unclear or slow──▶ spilling ──it took a replay or a slow append after all──▶ direct
 *
 * While `spilling`, batches go straight to the disk, and the drainer's replays discover that the log is back. Appends are
 * `direct` again at once, while the drainer still works: under load the spill would never become empty. So a new batch may
 * reach the log before an older, spilled one. Exactly-once does not depend on the order of batches.
 */
class Spill implements SpillingLog {
  readonly #log: RepeatableLog;
  readonly #lease: FolderLease;
  readonly #options: Required<SpillOptions>;
  readonly #budget: SpillBudget;
  readonly #queues: Readonly<Record<QueueName, SpillQueue>>;
  readonly #ending = new AbortController();
  readonly #appending = new Set<Promise<void>>();
  readonly #adoption: SpillAdoption;
  #drained: Promise<unknown> = Promise.resolve();
  #state: "direct" | "spilling" = "direct";
  readonly #warn: ThrottledWarning;
  #counts = { spilled: 0, replayed: 0, refused: 0 };
  #closing: Promise<void> | null = null;

  constructor(log: RepeatableLog, lease: FolderLease, options: SpillOptions) {
    this.#log = log;
    this.#lease = lease;
    this.#options = {
      maxBytes: 1024 * MIB,
      quarantineMs: 30_000,
      slowMs: 1500,
      onWarning: () => undefined,
      ...options,
    };
    this.#warn = createThrottledWarning(this.#options.onWarning);
    const budget = new SpillBudget(this.#options.maxBytes);
    const segmentBytes = Math.min(MAX_SEGMENT_BYTES, Math.ceil(budget.maxBytes / 8));
    const queue = (name: QueueName, segmentMs: number) =>
      new SpillQueue({ name, path: lease.path, segmentBytes, segmentMs, budget });
    this.#budget = budget;
    this.#queues = {
      unsent: queue("unsent", Number.POSITIVE_INFINITY),
      unclear: queue("unclear", this.#options.quarantineMs / FILES_PER_QUARANTINE),
    };
    const { folder, onWarning } = this.#options;
    this.#adoption = new SpillAdoption({ folder, lease, queues: this.#queues, onWarning });
  }

  async open(): Promise<void> {
    await this.#adoption.open();
    this.#drained = Promise.all([
      this.#drain("unsent", 0),
      this.#drain("unclear", this.#options.quarantineMs),
    ]);
  }

  append(batch: EventBatch): Promise<void> {
    if (this.#closing !== null)
      return Promise.reject(new EventLogError("CLOSED", "The event log has been closed."));
    if (batch.count === 0) return Promise.resolve();
    const appending = this.#append(batch);
    this.#appending.add(appending);
    const forget = () => this.#appending.delete(appending);
    appending.then(forget, forget);
    return appending;
  }

  consume(worker: PartitionWorker): Promise<EventConsumer> {
    return this.#log.consume(worker);
  }

  /** Succeeds when the spill has room and its disk takes a file, or else when the log answers. */
  async probe(): Promise<void> {
    try {
      if (this.#budget.bytes >= this.#budget.maxBytes * FULL)
        throw new EventLogError("UNAVAILABLE", "The spill is full.");
      await writeDurably(join(this.#lease.path, "probe"), "");
    } catch (error) {
      const answers = this.#isDirect && (await this.#log.probe().then(succeed, fail));
      if (!answers) throw error;
    }
  }

  /** Spilled events count as appended. */
  async lag(): Promise<number> {
    const spilled = this.#segments().reduce((sum, { waitingEvents }) => sum + waitingEvents, 0);
    return (await this.#log.lag()) + spilled;
  }

  spillState(): SpillState {
    const waiting = this.#segments().filter((segment) => segment.waiting > 0);
    const oldestAt = Math.min(...waiting.map((segment) => segment.oldestAt));
    return {
      waitingBytes: this.#budget.bytes,
      waitingBatches: waiting.reduce((sum, segment) => sum + segment.waiting, 0),
      oldestAgeSeconds: waiting.length === 0 ? 0 : Math.max(0, (Date.now() - oldestAt) / 1000),
      maxBytes: this.#budget.maxBytes,
      logIsAway: this.#state === "spilling",
      ...this.#counts,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const adopted = this.#adoption.close();
    await Promise.allSettled(this.#appending);
    this.#ending.abort();
    await adopted;
    await this.#drained;
    try {
      await this.#log.close();
    } finally {
      await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
      this.#lease.release();
    }
  }

  /** With an empty spill no replay would discover that the log is back, so the next batch is appended directly. */
  get #isDirect(): boolean {
    return this.#state === "direct" || this.#budget.bytes === 0;
  }

  async #append(batch: EventBatch): Promise<void> {
    if (this.#isDirect) await this.#appendDirectly(batch);
    else await this.#spill("unsent", batch, this.#log.newRetryToken());
  }

  async #appendDirectly(batch: EventBatch): Promise<void> {
    const { slowMs } = this.#options;
    const begun = this.#log.begin(batch);
    try {
      await within(slowMs, "an append", begun.done);
      this.#setLog("back");
    } catch (error) {
      if (error instanceof TimeoutError) {
        this.#setLog("away", `an append took longer than ${slowMs} ms`);
        await this.#spillSlow(batch, begun);
        return;
      }
      const code = error instanceof EventLogError ? error.code : null;
      if (code !== "UNAVAILABLE" && code !== "UNCLEAR") throw error;
      this.#setLog("away", error);
      if (code === "UNAVAILABLE") await this.#spill("unsent", batch, begun.retryToken);
      else await this.#spill("unclear", batch, begun.retryToken).catch(throwUnclear);
    }
  }

  /** Spills a batch whose append is in progress; it is not replayed if the log takes it after all. */
  async #spillSlow(batch: EventBatch, { retryToken, done }: BegunAppend): Promise<void> {
    const late = done.then(() => this.#setLog("back"));
    late.catch(() => undefined);
    let position: SpillPosition;
    try {
      position = await this.#spill("unclear", batch, retryToken);
    } catch (error) {
      await late.catch((ending: unknown) => {
        if (ending instanceof EventLogError && ending.code !== "UNCLEAR") throw error;
        throwUnclear(error);
      });
      return;
    }
    late.then(
      () => position.segment.markDone(position.number),
      () => undefined,
    );
  }

  async #spill(queue: QueueName, { rows, count }: EventBatch, retryToken: string): Promise<SpillPosition> {
    try {
      const position = await this.#queues[queue].write({ rows, count, retryToken, spilledAt: Date.now() });
      this.#counts.spilled += 1;
      return position;
    } catch (error) {
      this.#counts.refused += 1;
      this.#warn(`${messageOf(error)} Events are refused until that ends.`, undefined, "refused");
      throw error;
    }
  }

  #setLog(now: "back" | "away", reason?: unknown): void {
    if (now === "back") this.#state = "direct";
    else if (this.#state === "direct") {
      this.#state = "spilling";
      this.#warn(
        `The event log is away (${messageOf(reason)}); events wait in ${this.#lease.path}.`,
        undefined,
        "away",
      );
    }
  }

  #drain(name: QueueName, restMs: number): Promise<void> {
    return drainQueue({
      log: this.#log,
      queue: this.#queues[name],
      path: this.#lease.path,
      restMs,
      signal: this.#ending.signal,
      onReplayed: () => {
        this.#counts.replayed += 1;
      },
      onLog: (now, reason) => this.#setLog(now, reason),
      onWarning: this.#options.onWarning,
    });
  }

  #segments() {
    return Object.values(this.#queues).flatMap((queue) => queue.segments);
  }
}

const succeed = () => true;
const fail = () => false;

/** The log may have the batch that could not be spilled. */
function throwUnclear(error: unknown): never {
  throw new EventLogError("UNCLEAR", messageOf(error), { cause: error });
}
