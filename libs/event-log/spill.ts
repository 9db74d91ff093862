import { join } from "node:path";
import { writeDurably } from "#libs/files/index.ts";
import { endOf } from "./append-end.ts";
import { EventLogError } from "./errors.ts";
import type { BegunAppend, EventBatch, EventConsumer, PartitionWorker, RepeatableLog } from "./port.ts";
import { createSparingWarnings, type WarnSparingly } from "./sparing-warnings.ts";
import { SpillAdoption } from "./spill-adoption.ts";
import { SpillBudget } from "./spill-budget.ts";
import { drainLane } from "./spill-drainer.ts";
import { type LaneName, messageOf, type SpillSlot, takeSlot } from "./spill-folder.ts";
import { SpillLane, type SpillPlace } from "./spill-lane.ts";
import type { SpillingLog, SpillOptions, SpillState } from "./spill-options.ts";

const MIB = 1024 * 1024;
/** Of its bytes: what is left has room for hardly any batch. */
const FULL = 0.99;
const MOST_SEGMENT_BYTES = 8 * MIB;
/** A file rests after its last batch, so that its first one waits for as long as the file was written to, too. */
const FILES_A_QUARANTINE = 8;

/**
 * Puts a spill in front of a log: what the log does not take in time is written to files, acknowledged, and replayed
 * when the log is back. Adopts what earlier processes left. Rejects with `EventLogError` `UNAVAILABLE` when the folder
 * cannot be used. Closing it closes the log; what is spilled then waits for the next process.
 */
export async function openSpill(log: RepeatableLog, options: SpillOptions): Promise<SpillingLog> {
  const slot = await takeSlot(options.folder);
  const spill = new Spill(log, slot, options);
  try {
    await spill.open();
  } catch (error) {
    slot.release();
    throw new EventLogError(
      "UNAVAILABLE",
      `The spill in ${slot.path} cannot be opened: ${messageOf(error)}.`,
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
 * While `spilling`, batches go to the disk without a try, and the drainer's replays are what finds the log back. It goes
 * on `direct` at once, while the drainer is still at work: order between batches means nothing to exactly-once, and a
 * spill that had to be empty first would never be under load.
 */
class Spill implements SpillingLog {
  readonly #log: RepeatableLog;
  readonly #slot: SpillSlot;
  readonly #options: Required<SpillOptions>;
  readonly #budget: SpillBudget;
  readonly #lanes: Readonly<Record<LaneName, SpillLane>>;
  readonly #ending = new AbortController();
  readonly #appending = new Set<Promise<void>>();
  readonly #adoption: SpillAdoption;
  #drained: Promise<unknown> = Promise.resolve();
  #state: "direct" | "spilling" = "direct";
  readonly #warn: WarnSparingly;
  #counts = { spilled: 0, replayed: 0, refused: 0 };
  #closing: Promise<void> | null = null;

  constructor(log: RepeatableLog, slot: SpillSlot, options: SpillOptions) {
    this.#log = log;
    this.#slot = slot;
    this.#options = {
      maxBytes: 1024 * MIB,
      quarantineMs: 30_000,
      slowMs: 1500,
      onWarning: () => undefined,
      ...options,
    };
    this.#warn = createSparingWarnings(this.#options.onWarning);
    const budget = new SpillBudget(this.#options.maxBytes);
    const segmentBytes = Math.min(MOST_SEGMENT_BYTES, Math.ceil(budget.maxBytes / 8));
    const lane = (name: LaneName, segmentMs: number) =>
      new SpillLane({ name, path: slot.path, segmentBytes, segmentMs, budget });
    this.#budget = budget;
    this.#lanes = {
      unsent: lane("unsent", Number.POSITIVE_INFINITY),
      unclear: lane("unclear", this.#options.quarantineMs / FILES_A_QUARANTINE),
    };
    const { folder, onWarning } = this.#options;
    this.#adoption = new SpillAdoption({ folder, slot, lanes: this.#lanes, onWarning });
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

  /** A batch has two ways: it finds one where the log answers, or where the spill has room and its disk takes a file. */
  async probe(): Promise<void> {
    try {
      if (this.#budget.bytes >= this.#budget.maxBytes * FULL)
        throw new EventLogError("UNAVAILABLE", "The spill is full.");
      await writeDurably(join(this.#slot.path, "probe"), "");
    } catch (error) {
      const isThere = this.#isDirect && (await this.#log.probe().then(succeed, fail));
      if (!isThere) throw error;
    }
  }

  /** Events that are spilled have been appended too. */
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
      await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
      this.#slot.release();
    }
  }

  /** With nothing in the spill there is no replay that would find the log back, so that the next batch has to. */
  get #isDirect(): boolean {
    return this.#state === "direct" || this.#budget.bytes === 0;
  }

  async #append(batch: EventBatch): Promise<void> {
    if (this.#isDirect) await this.#appendDirectly(batch);
    else await this.#spill("unsent", batch, this.#log.newAttempt());
  }

  async #appendDirectly(batch: EventBatch): Promise<void> {
    const begun = this.#log.begin(batch);
    const end = await endOf(begun, this.#options.slowMs);
    if (end.outcome === "taken") return this.#on("back");
    if (end.outcome === "failed") {
      const { error } = end;
      const code = error instanceof EventLogError ? error.code : null;
      if (code !== "UNAVAILABLE" && code !== "UNCLEAR") throw error;
      this.#on("away", error);
      if (code === "UNAVAILABLE") await this.#spill("unsent", batch, begun.attempt);
      else await this.#spill("unclear", batch, begun.attempt).catch(throwUnclear);
      return;
    }
    this.#on("away", `an append took longer than ${this.#options.slowMs} ms`);
    await this.#spillSlow(batch, begun);
  }

  /** Whatever the log still makes of it: taken late, it is not replayed any more; a spill that is full leaves it that chance. */
  async #spillSlow(batch: EventBatch, { attempt, done }: BegunAppend): Promise<void> {
    const late = done.then(() => this.#on("back"));
    late.catch(() => undefined);
    let place: SpillPlace;
    try {
      place = await this.#spill("unclear", batch, attempt);
    } catch (error) {
      await late.catch((ending: unknown) => {
        if (ending instanceof EventLogError && ending.code !== "UNCLEAR") throw error;
        throwUnclear(error);
      });
      return;
    }
    late.then(
      () => place.segment.markDone(place.number),
      () => undefined,
    );
  }

  async #spill(lane: LaneName, { rows, count }: EventBatch, attempt: string): Promise<SpillPlace> {
    try {
      const place = await this.#lanes[lane].write({ rows, count, attempt, spilledAt: Date.now() });
      this.#counts.spilled += 1;
      return place;
    } catch (error) {
      this.#counts.refused += 1;
      this.#warn(`${messageOf(error)} Events are refused until that ends.`, "refused");
      throw error;
    }
  }

  #on(now: "back" | "away", reason?: unknown): void {
    if (now === "back") this.#state = "direct";
    else if (this.#state === "direct") {
      this.#state = "spilling";
      this.#warn(`The event log is away (${messageOf(reason)}); events wait in ${this.#slot.path}.`, "away");
    }
  }

  #drain(name: LaneName, restMs: number): Promise<void> {
    return drainLane({
      log: this.#log,
      lane: this.#lanes[name],
      path: this.#slot.path,
      restMs,
      signal: this.#ending.signal,
      onReplayed: () => {
        this.#counts.replayed += 1;
      },
      onLog: (now, reason) => this.#on(now, reason),
      onWarning: this.#options.onWarning,
    });
  }

  #segments() {
    return Object.values(this.#lanes).flatMap((lane) => lane.segments);
  }
}

const succeed = () => true;
const fail = () => false;

/** What could not be spilled may be in the log all the same. */
function throwUnclear(error: unknown): never {
  throw new EventLogError("UNCLEAR", messageOf(error), { cause: error });
}
