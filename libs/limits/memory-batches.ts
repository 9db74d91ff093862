import { LimitsError } from "./errors.ts";
import { BATCH_NUMBERS, type Judge, type NumberedBatch } from "./judging.ts";
import { OpenBatches, whichAreLost } from "./open-batches.ts";
import type { BatchToJudge, EventToJudge, JudgedBatch, Judgement, Limits } from "./port.ts";

const REPEATED_WITHIN_MS = 3_600_000;
/** Batches that are remembered after they were confirmed; the oldest are forgotten first. */
const MOST_REMEMBERED = 10_000;

/** A batch that was judged. */
interface KnownBatch extends NumberedBatch {
  readonly judgements: readonly Judgement[];
  /** The outcome of the batch that has the original of a duplicate, by the duplicate's index. */
  readonly waiting: ReadonlyMap<number, Promise<boolean>>;
  /** Neither confirmed nor dropped. */
  isOpen: boolean;
  isDurable: boolean;
  /** By the clock of `performance.now()`. */
  untilMs: number;
}

/**
 * Judges batches one after the other. A batch whose outcome stays unknown is open for `openMs` milliseconds. `judge` rejects
 * with `UNAVAILABLE` if `BATCH_NUMBERS` batches are open.
 */
export function createMemoryBatchJudge(
  judge: Judge,
  openMs: number,
): Pick<Limits, "judge" | "settle" | "abandon"> {
  const open = new OpenBatches<number>();
  const known = new Map<string, KnownBatch>();
  const remembered = new Map<string, KnownBatch>();
  let last = 0;

  function nextNumber(): number {
    open.forgetThoseOver();
    for (let tried = 0; tried < BATCH_NUMBERS; tried += 1) {
      last = (last + 1) % BATCH_NUMBERS;
      if (!open.has(last)) return last;
    }
    throw new LimitsError("UNAVAILABLE", "Too many batches are open.");
  }

  function judgeNew(
    events: readonly EventToJudge[],
    { isOfAnyTime = false, isDurable = false }: BatchToJudge,
  ): KnownBatch {
    const number = nextNumber();
    const untilMs = performance.now() + openMs;
    if (!isDurable) open.begin(number, untilMs);
    const waiting = new Map<number, Promise<boolean>>();
    const judgements = events.map((event, index): Judgement => {
      const ruling = judge.judge(event, { number, isOfAnyTime });
      if (typeof ruling === "string") return ruling;
      const outcome = ruling.duplicateOf === number ? null : open.outcomeOf(ruling.duplicateOf);
      if (outcome !== null) waiting.set(index, outcome);
      return "duplicate";
    });
    return { judgements, waiting, number, isOfAnyTime, isOpen: true, isDurable, untilMs };
  }

  function end(id: string, batch: KnownBatch, isStored: boolean): void {
    batch.isOpen = false;
    known.delete(id);
    endWaiting(batch, isStored);
  }

  function endWaiting({ number, untilMs }: KnownBatch, isStored: boolean): void {
    // Later the number may be that of another batch, whose duplicates must not be taken for stored.
    if (performance.now() < untilMs) open.end(number, isStored);
  }

  function undo(events: readonly EventToJudge[], batch: KnownBatch): void {
    for (const [index, event] of events.entries()) {
      judge.undo(event, batch, batch.judgements[index] ?? "limited");
    }
  }

  return {
    async judge(events, batchToJudge): Promise<JudgedBatch> {
      const { id, isDurable = false, isRepeatable = false } = batchToJudge;
      forgetThoseOver(known, Number.POSITIVE_INFINITY);
      forgetThoseOver(remembered, MOST_REMEMBERED);
      const batch = known.get(id) ?? remembered.get(id) ?? judgeNew(events, batchToJudge);
      if (batch.judgements.length !== events.length)
        throw new LimitsError("REFUSED", "The batch was judged with other events.");
      if (batch.isOpen) known.set(id, batch);
      if (batch.isOpen && isDurable && !batch.isDurable) {
        batch.isDurable = true;
        endWaiting(batch, true);
      }

      return {
        judgements: batch.judgements,
        confirm() {
          if (!batch.isOpen) return;
          end(id, batch, true);
          if (!isRepeatable) return;
          batch.untilMs = performance.now() + REPEATED_WITHIN_MS;
          remembered.set(id, batch);
        },
        async drop() {
          if (!batch.isOpen || batch.isDurable !== isDurable) return;
          undo(events, batch);
          end(id, batch, false);
        },
        lostDuplicates: () => whichAreLost(batch.waiting, (outcome) => outcome),
      };
    },
    // A rejected batch has left nothing here, and is judged when it is judged again.
    settle: async () => undefined,
    abandon: async () => undefined,
  };
}

/** The entries are in the order of their ends. Leaves `most` at most. */
function forgetThoseOver(batches: Map<string, KnownBatch>, most: number): void {
  const now = performance.now();
  for (const [id, { untilMs }] of batches) {
    if (untilMs > now && batches.size <= most) return;
    batches.delete(id);
  }
}
