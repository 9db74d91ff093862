import type { Arrivals } from "../arrivals.ts";
import { EventLogError } from "../errors.ts";
import {
  type DeadLetter,
  type EventRange,
  type OffsetRange,
  type Partition,
  type RangeOfOrigin,
  type ReadLimits,
  rangeName,
} from "../port.ts";
import type { StoredBatch } from "./messages.ts";
import type { LocalThread } from "./thread.ts";

export interface LocalPartitionOptions {
  readonly id: string;
  readonly epoch: number;
  readonly thread: LocalThread;
  readonly arrivals: Arrivals;
  /** Aborted when the consumer closes, and by the partition when it finds a newer owner. */
  readonly ending: AbortController;
  readonly onWarning: (message: string) => void;
}

/**
 * The local log's only partition, for its owner of one epoch. Appends through the same `EventLog` wake a waiting read;
 * those of another process are found at the next call.
 */
export class LocalPartition implements Partition {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly #options: LocalPartitionOptions;

  constructor(options: LocalPartitionOptions) {
    this.id = options.id;
    this.signal = options.ending.signal;
    this.#options = options;
  }

  recordedIntent(): Promise<RangeOfOrigin | null> {
    return this.#options.thread.call("recordedIntent", undefined);
  }

  async readNext(limits: ReadLimits): Promise<EventRange | null> {
    const { thread } = this.#options;
    const giveUpAt = performance.now() + limits.maxWaitMs;
    while (await this.#gather(limits, giveUpAt)) {
      // The session of the thread that answers: a restarted thread begins another one.
      const origin = `${this.id}:${thread.opened?.sessionId ?? ""}`;
      const range = asRange(await thread.call("readNext", limitsOf(limits)), origin);
      if (this.signal.aborted) return null;
      if (range !== null) return range;
    }
    return null;
  }

  async readExactly({ origin, first, last }: RangeOfOrigin): Promise<EventRange> {
    const read = asRange(await this.#options.thread.call("readExactly", { first, last }), origin);
    if (read === null) throw new EventLogError("RANGE_GONE", "A range holds at least one batch.");
    return read;
  }

  recordIntent({ origin, first, last }: RangeOfOrigin): Promise<void> {
    const { thread, epoch } = this.#options;
    return this.#asOwner(thread.call("recordIntent", { epoch, range: { origin, first, last } }));
  }

  recordedJudgements(range: RangeOfOrigin): Promise<Uint8Array | null> {
    return this.#options.thread.call("recordedJudgements", rangeName(range));
  }

  recordJudgements(range: RangeOfOrigin, judgements: Uint8Array): Promise<void> {
    const { thread, epoch } = this.#options;
    return this.#asOwner(thread.call("recordJudgements", { epoch, range: rangeName(range), judgements }));
  }

  commit({ first, last }: OffsetRange): Promise<void> {
    const { thread, epoch } = this.#options;
    return this.#asOwner(thread.call("commit", { epoch, range: { first, last } }));
  }

  async writeDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    const { thread, epoch, onWarning } = this.#options;
    const dropped = await this.#asOwner(thread.call("writeDeadLetters", { epoch, letters }));
    if (dropped > 0)
      onWarning(`${dropped} of the oldest dead letters were dropped to stay within the limit.`);
  }

  /** Waits for something to read and then lingers. False when nothing came in time or the partition has ended. */
  async #gather(limits: ReadLimits, giveUpAt: number): Promise<boolean> {
    const { thread, arrivals } = this.#options;
    if (this.signal.aborted) return false;
    const before = arrivals.events;
    const { events: lag } = await thread.call("backlog", undefined);
    const waiting = () => lag + arrivals.events - before;
    await arrivals.wait(giveUpAt - performance.now(), this.signal, () => waiting() > 0);
    if (waiting() === 0) return false;
    await arrivals.wait(limits.lingerMs, this.signal, () => waiting() >= limits.maxEvents);
    return !this.signal.aborted;
  }

  async #asOwner<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof EventLogError && error.code === "PARTITION_LOST")
        this.#options.ending.abort(error);
      throw error;
    }
  }
}

function limitsOf({ maxEvents, maxBytes }: ReadLimits) {
  return { maxEvents, maxBytes };
}

/** Batches of an earlier session may be stored already: their commit may have been lost with the end of the file. */
function asRange(stored: readonly StoredBatch[], origin: string): EventRange | null {
  const first = stored[0]?.offset;
  const last = stored.at(-1)?.offset;
  if (first === undefined || last === undefined) return null;
  const batches = stored.map(({ rows, count, appendedAt, isOlder }) => ({
    rows: Buffer.from(rows.buffer),
    count,
    ...(appendedAt !== null && { appendedAt }),
    ...(isOlder && { mayRepeat: true }),
  }));
  return { origin, first, last, batches };
}
