import { join } from "node:path";
import { Backoff, pause, TimeoutError, within } from "#libs/async/index.ts";
import { EventLogError } from "../errors.ts";
import type { RepeatableLog } from "../port.ts";
import { messageOf, newFileName } from "./folder.ts";
import type { SpillQueue } from "./queue.ts";
import type { SpilledBatch } from "./record.ts";
import { SpillSegment } from "./segment.ts";

const PAUSES = { firstMs: 100, longestMs: 2000, jitter: true };
/** A replay that takes longer is started again: a repetition may always be repeated. */
const REPLAYED_WITHIN_MS = 60_000;

export interface SpillDrainerOptions {
  readonly log: Pick<RepeatableLog, "append">;
  readonly queue: SpillQueue;
  /** Where batches that the log refuses for good are kept. */
  readonly path: string;
  /** How long a file waits after its last batch, in milliseconds. */
  readonly restMs: number;
  /** Replays at the same time, once one of them has succeeded. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onReplayed: () => void;
  /** Called after each replay: the log took the batch, or is unavailable. */
  readonly onLog: (state: "back" | "away", error?: unknown) => void;
  readonly onWarning: (message: string) => void;
}

/**
 * Replays a queue, file by file, until the signal aborts. A file is removed when the log has all its batches. A process
 * that dies before that replays the file again; the log marks every replay, so that nothing is counted twice.
 */
export async function drainQueue(options: SpillDrainerOptions): Promise<void> {
  const { queue, restMs, signal, onWarning } = options;
  for (let segment = await queue.oldest(signal); segment !== null; segment = await queue.oldest(signal)) {
    await rest(segment, restMs, signal);
    try {
      await new SegmentReplay(segment, options).run();
    } catch (error) {
      onWarning(
        `The spill file ${segment.file} cannot be replayed and stays where it is: ${messageOf(error)}.`,
      );
    }
    if (!signal.aborted) queue.forget(segment);
  }
}

class SegmentReplay {
  readonly #segment: SpillSegment;
  readonly #options: SpillDrainerOptions;
  readonly #backoff = new Backoff(PAUSES);
  #concurrency = 1;

  constructor(segment: SpillSegment, options: SpillDrainerOptions) {
    this.#segment = segment;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, onWarning } = this.#options;
    if (signal.aborted) return;
    const segment = this.#segment;
    if (segment.waiting === 0 && !segment.isEmpty) return segment.remove();
    const { batches, damage } = await segment.read();
    // Batches are known by number, and numbers do not hold in a damaged file.
    const isDue = (number: number) => damage !== null || !segment.isDone(number);
    let due = [...batches.keys()].filter(isDue);
    while (due.length > 0 && !signal.aborted) {
      const some = due.splice(0, this.#concurrency).filter(isDue);
      due = [...(await this.#replayAll(batches, some)), ...due];
    }
    if (signal.aborted) return;
    if (damage === null) return segment.remove();
    onWarning(
      `The spill file ${segment.file} is damaged (${damage}) and was kept as ${await segment.setAside()}.`,
    );
  }

  /** Returns the numbers of the batches that have to be replayed again. */
  async #replayAll(batches: readonly SpilledBatch[], numbers: readonly number[]): Promise<number[]> {
    const outcomes = await Promise.all(
      numbers.map(async (number) => {
        const batch = batches[number];
        return { number, taken: batch === undefined || (await this.#replay(batch)) };
      }),
    );
    for (const { number, taken } of outcomes) if (taken) this.#segment.markDone(number);
    const failed = outcomes.filter(({ taken }) => !taken).map(({ number }) => number);
    if (failed.length === 0) {
      this.#backoff.reset();
      this.#concurrency = this.#options.concurrency;
    } else {
      this.#concurrency = 1;
      await pause(this.#backoff.next(), this.#options.signal);
    }
    return failed;
  }

  async #replay(batch: SpilledBatch): Promise<boolean> {
    const { rows, count, retryToken } = batch;
    const { log, signal, onLog, onReplayed } = this.#options;
    try {
      await within(REPLAYED_WITHIN_MS, "a replay", log.append({ rows, count }, retryToken), signal);
    } catch (error) {
      if (signal.aborted) return false;
      if (!isRefusal(error)) {
        onLog("away", error);
        return false;
      }
      await this.#keepRefused(batch, error);
      return true;
    }
    onReplayed();
    onLog("back");
    return true;
  }

  /** A batch that the log refuses for good must neither hold up the others nor be lost. */
  async #keepRefused(batch: SpilledBatch, error: unknown): Promise<void> {
    const { path, onWarning } = this.#options;
    const kept = await SpillSegment.create(join(path, `${newFileName("refused")}.refused`));
    await kept.add([batch]);
    await kept.seal();
    onWarning(`The event log refuses a spilled batch (${messageOf(error)}); it was kept as ${kept.file}.`);
  }
}

const TRANSIENT = new Set(["UNAVAILABLE", "UNCLEAR", "CLOSED"]);

/** Whether the log refused the batch itself, and would do so again. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TimeoutError) return false;
  return !(error instanceof EventLogError) || !TRANSIENT.has(error.code);
}

/** Waits until `restMs` after the last batch, or until the log has all batches. */
async function rest(segment: SpillSegment, restMs: number, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  segment.onDone(() => done.abort());
  await pause(segment.addedAt + restMs - performance.now(), AbortSignal.any([signal, done.signal]));
}
