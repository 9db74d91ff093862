import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EventLogError } from "./errors.ts";
import type { RepeatableLog } from "./port.ts";
import { messageOf, newFileName } from "./spill-folder.ts";
import type { SpillLane } from "./spill-lane.ts";
import type { SpilledBatch } from "./spill-record.ts";
import { SpillSegment } from "./spill-segment.ts";

/** Batches on their way to the log at the same time, once one of them has got through. */
const ABREAST = 4;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
/** A replay that has not ended after so long is begun again: a repetition may always be repeated. */
const REPLAYED_WITHIN_MS = 60_000;

export interface SpillDrainerOptions {
  readonly log: Pick<RepeatableLog, "append">;
  readonly lane: SpillLane;
  /** Where what the log refuses for good is kept. */
  readonly path: string;
  /** How long a file rests after its last batch, in milliseconds. */
  readonly restMs: number;
  readonly signal: AbortSignal;
  readonly onReplayed: (events: number) => void;
  /** The log took a batch, so that it is back; or it did not, so that it is away. */
  readonly onLog: (state: "back" | "away", error?: unknown) => void;
  readonly onWarning: (message: string) => void;
}

/**
 * Replays a lane, file by file, until the signal aborts. A file is removed when the log has all of it; a process that
 * dies before that replays the file again, and the log marks every replay so that nothing is counted twice.
 */
export async function drainLane(options: SpillDrainerOptions): Promise<void> {
  const { lane, restMs, signal, onWarning } = options;
  for (let segment = await lane.oldest(signal); segment !== null; segment = await lane.oldest(signal)) {
    await rest(segment, restMs, signal);
    try {
      await new SegmentReplay(segment, options).run();
    } catch (error) {
      onWarning(
        `The spill file ${segment.file} cannot be replayed and is left where it is: ${messageOf(error)}.`,
      );
    }
    if (!signal.aborted) lane.forget(segment);
  }
}

class SegmentReplay {
  readonly #segment: SpillSegment;
  readonly #options: SpillDrainerOptions;
  #pauseMs = FIRST_PAUSE_MS;
  #abreast = 1;

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
    // What is done is known by number, and numbers do not count in a damaged file.
    let due = [...batches.keys()].filter((number) => damage !== null || !segment.isDone(number));
    while (due.length > 0 && !signal.aborted) {
      const some = due
        .splice(0, this.#abreast)
        .filter((number) => damage !== null || !segment.isDone(number));
      due = [...(await this.#replayAll(batches, some)), ...due];
    }
    if (signal.aborted) return;
    if (damage === null) return segment.remove();
    onWarning(
      `The spill file ${segment.file} is damaged (${damage}) and was kept as ${await segment.setAside()}.`,
    );
  }

  /** Returns those that have to be replayed again. */
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
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#abreast = ABREAST;
    } else {
      this.#abreast = 1;
      await pause(this.#pauseMs * (0.5 + Math.random() / 2), this.#options.signal);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
    return failed;
  }

  async #replay(batch: SpilledBatch): Promise<boolean> {
    const { log, signal, onLog, onReplayed } = this.#options;
    try {
      const { rows, count, attempt } = batch;
      await ended(log.append({ rows, count }, attempt), signal);
    } catch (error) {
      if (signal.aborted) return false;
      if (!isOfTheBatch(error)) {
        onLog("away", error);
        return false;
      }
      await this.#putAside(batch, error);
      return true;
    }
    onReplayed(batch.count);
    onLog("back");
    return true;
  }

  /** A batch that the log refuses for good must neither hold up the others nor be lost. */
  async #putAside(batch: SpilledBatch, error: unknown): Promise<void> {
    const { path, onWarning } = this.#options;
    const aside = await SpillSegment.create(join(path, `${newFileName("refused")}.refused`));
    await aside.add([batch]);
    await aside.seal();
    onWarning(`The event log refuses a spilled batch (${messageOf(error)}); it was kept as ${aside.file}.`);
  }
}

const PASSING = new Set(["UNAVAILABLE", "UNCLEAR", "CLOSED"]);

/** Whether the log refused the batch itself, and would do so again. */
function isOfTheBatch(error: unknown): boolean {
  return !(error instanceof EventLogError) || !PASSING.has(error.code);
}

/** Ends as the replay does, but not after the signal or the time limit. */
async function ended(replay: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new EventLogError("UNCLEAR", "A replay did not end."));
  const timer = setTimeout(giveUp, REPLAYED_WITHIN_MS);
  signal.addEventListener("abort", giveUp);
  try {
    await Promise.race([replay, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** Until `restMs` after its last batch, or until the log has taken all of it. */
async function rest(segment: SpillSegment, restMs: number, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  segment.onDone(() => done.abort());
  await pause(segment.addedAt + restMs - performance.now(), AbortSignal.any([signal, done.signal]));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
