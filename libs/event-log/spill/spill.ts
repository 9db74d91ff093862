import { join } from "node:path";
import { createThrottledWarning, type ThrottledWarning, TimeoutError, within } from "#libs/async/index.ts";
import { writeDurably } from "#libs/files/index.ts";
import { EventLogError } from "../errors.ts";
import type {
  Backlog,
  BegunAppend,
  EventBatch,
  EventConsumer,
  PartitionWorker,
  RepeatableLog,
  SpillingLog,
  SpillState,
} from "../port.ts";
import { refuseEarlierFiles } from "./earlier-files.ts";
import { acquireLease, type FolderLease, messageOf } from "./folder.ts";
import { GatheredAppends } from "./gathered-appends.ts";
import type { SpillPosition } from "./queue.ts";
import { SpillStore } from "./store.ts";

export interface SpillOptions {
  /** Several processes may share it: each uses a folder of its own in it, and adopts those of dead processes. */
  readonly folder: string;
  /** Bytes of this process that may wait in the spill; further appends are rejected. Default 1 GiB. */
  readonly maxBytes?: number;
  /** How long a batch that the log may still take waits before it is replayed, in milliseconds. Default 30,000. */
  readonly quarantineMs?: number;
  /** An append that takes longer goes to the spill, in milliseconds. Default 250. */
  readonly slowMs?: number;
  /** Called with one sentence for the operator: the log is away, the spill is full, a file is damaged. */
  readonly onWarning?: (message: string) => void;
}

const USUAL_MAX_BYTES = 1024 ** 3;
/** Replays at the same time. Those of one token are appended together. */
const REPLAYS = 64;
/** Batches that were not sent yet go to one partition for this long, so that they can be appended together. */
const SAME_TOKEN_MS = 1_000;

/**
 * Puts a spill in front of a log: a batch that the log does not take in time is stored in a file, acknowledged and replayed
 * later, if need be by the next process. Closing it closes the log. Rejects with `EventLogError` `UNAVAILABLE` if the folder cannot be used,
 * and `DAMAGED` if it has events of an earlier release that nobody has judged.
 */
export async function openSpill(log: RepeatableLog, options: SpillOptions): Promise<SpillingLog> {
  const lease = await acquireLease(options.folder);
  const spill = new Spill(log, lease, options);
  try {
    refuseEarlierFiles(options.folder);
    await spill.open();
  } catch (error) {
    lease.release();
    if (error instanceof EventLogError) throw error;
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
  readonly #replays: GatheredAppends;
  readonly #store: SpillStore;
  readonly #slowMs: number;
  readonly #quarantineMs: number;
  readonly #warn: ThrottledWarning;
  readonly #appending = new Set<Promise<void>>();
  #state: "direct" | "spilling" = "direct";
  /** When the log last took a batch directly, by `performance.now()`. */
  #takenAt = Number.NEGATIVE_INFINITY;
  #lastToken = { token: "", until: 0 };
  #closing: Promise<void> | null = null;

  constructor(log: RepeatableLog, lease: FolderLease, options: SpillOptions) {
    const { folder, maxBytes = USUAL_MAX_BYTES, quarantineMs = 30_000, slowMs = 250 } = options;
    const { onWarning = () => undefined } = options;
    this.#log = log;
    this.#replays = new GatheredAppends(log);
    this.#slowMs = slowMs;
    this.#quarantineMs = quarantineMs;
    this.#warn = createThrottledWarning(onWarning);
    this.#store = new SpillStore(lease, { folder, maxBytes, quarantineMs, onWarning });
  }

  async open(): Promise<void> {
    await this.#store.open();
    const shared = { log: this.#replays, concurrency: REPLAYS, onLog: this.#setLog };
    this.#store.drain("unsent", shared);
    this.#store.drain("unclear", { ...shared, restMs: this.#quarantineMs });
  }

  append(batch: EventBatch): Promise<void> {
    return this.#track(batch, () => this.#append(batch));
  }

  /** A batch with a name goes to the partition of that. */
  #tokenFor(batch: EventBatch): string {
    if (batch.name !== undefined) return this.#log.newRetryToken(batch);
    const now = performance.now();
    if (now >= this.#lastToken.until)
      this.#lastToken = { token: this.#log.newRetryToken(batch), until: now + SAME_TOKEN_MS };
    return this.#lastToken.token;
  }

  consume(worker: PartitionWorker): Promise<EventConsumer> {
    return this.#log.consume(worker);
  }

  /** Succeeds when the spill has room and its disk takes a file, or else when the log answers. */
  async probe(): Promise<void> {
    try {
      if (this.#store.isFull) throw new EventLogError("UNAVAILABLE", "The spill is full.");
      await writeDurably(join(this.#store.path, "probe"), "");
    } catch (error) {
      const answers = this.#isDirect && (await this.#log.probe().then(succeed, fail));
      if (!answers) throw error;
    }
  }

  /** Spilled events count as appended. */
  async lag(): Promise<number> {
    const spilled = this.#store.waitingEvents;
    return (await this.#log.lag()) + spilled;
  }

  backlog(): Promise<Backlog> {
    return this.#log.backlog();
  }

  spillState(): SpillState {
    return { ...this.#store.state(), logIsAway: this.#state === "spilling" };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #track({ count }: EventBatch, append: () => Promise<void>): Promise<void> {
    if (this.#closing !== null)
      return Promise.reject(new EventLogError("CLOSED", "The event log has been closed."));
    if (count === 0) return Promise.resolve();
    const appending = append();
    this.#appending.add(appending);
    const forget = () => this.#appending.delete(appending);
    appending.then(forget, forget);
    return appending;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#appending);
    await this.#store.stopDraining();
    try {
      await this.#log.close();
    } finally {
      await this.#store.close();
    }
  }

  /** Where nothing waits no replay would discover that the log is back, so the next batch is appended directly. */
  get #isDirect(): boolean {
    return this.#state === "direct" || (this.#store.isEmpty("unsent") && this.#store.isEmpty("unclear"));
  }

  async #append(batch: EventBatch): Promise<void> {
    if (this.#isDirect) await this.#appendDirectly(batch);
    else await this.#store.write("unsent", batch, this.#tokenFor(batch));
  }

  async #appendDirectly(batch: EventBatch): Promise<void> {
    const slowMs = this.#slowMs;
    const begunAt = performance.now();
    const begun = this.#log.begin(batch);
    try {
      await within(slowMs, "an append", begun.done);
      this.#takenAt = performance.now();
      this.#setLog("back");
    } catch (error) {
      if (error instanceof TimeoutError) {
        // A busy log is slow and yet takes batches; one that takes none is away.
        if (this.#takenAt < begunAt) this.#setLog("away", `it took no batch within ${slowMs} ms`);
        await this.#spillSlow(batch, begun);
        return;
      }
      const code = error instanceof EventLogError ? error.code : null;
      if (code !== "UNAVAILABLE" && code !== "UNCLEAR") throw error;
      this.#setLog("away", error);
      if (code === "UNAVAILABLE") await this.#store.write("unsent", batch, begun.retryToken);
      else await this.#store.write("unclear", batch, begun.retryToken).catch(throwUnclear);
    }
  }

  /** Spills a batch whose append is in progress; it is not replayed if the log takes it after all. */
  async #spillSlow(batch: EventBatch, { retryToken, done }: BegunAppend): Promise<void> {
    const late = done.then(() => {
      this.#takenAt = performance.now();
      this.#setLog("back");
    });
    late.catch(() => undefined);
    let position: SpillPosition;
    try {
      position = await this.#store.write("unclear", batch, retryToken);
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

  readonly #setLog = (now: "back" | "away", reason?: unknown): void => {
    if (now === "back") this.#state = "direct";
    else if (this.#state === "direct") {
      this.#state = "spilling";
      this.#warn(
        `The event log is away (${messageOf(reason)}); events wait in ${this.#store.path}.`,
        undefined,
        "away",
      );
    }
  };
}

const succeed = () => true;
const fail = () => false;

/** The log may have the batch that could not be spilled. */
function throwUnclear(error: unknown): never {
  throw new EventLogError("UNCLEAR", messageOf(error), { cause: error });
}
