import { BATCH_NUMBERS, type Judge } from "./judging.ts";
import { OpenBatches, whichAreLost } from "./open-batches.ts";
import type { EventToJudge, JudgedBatch, Judgement } from "./port.ts";

/**
 * Makes the function that judges batches one after the other. A batch whose outcome stays unknown is open for `openMs`
 * milliseconds. Throws if `BATCH_NUMBERS` batches are open.
 */
export function createBatchJudge(
  judge: Judge,
  openMs: number,
): (events: readonly EventToJudge[]) => JudgedBatch {
  const open = new OpenBatches<number>();
  let last = 0;

  function nextNumber(): number {
    open.forgetThoseOver();
    for (let tried = 0; tried < BATCH_NUMBERS; tried += 1) {
      last = (last + 1) % BATCH_NUMBERS;
      if (!open.has(last)) return last;
    }
    throw new Error("Of too many batches nobody knows whether they were stored.");
  }

  return (events) => {
    const number = nextNumber();
    const untilMs = performance.now() + openMs;
    open.begin(number, untilMs);
    const end = (isStored: boolean) => {
      // Later the number may be that of another batch, whose duplicates must not be taken for stored.
      if (performance.now() < untilMs) open.end(number, isStored);
    };
    const waiting = new Map<number, Promise<boolean>>();
    const judgements = events.map((event, index): Judgement => {
      const ruling = judge.judge(event, number);
      if (typeof ruling === "string") return ruling;
      const outcome = ruling.duplicateOf === number ? null : open.outcomeOf(ruling.duplicateOf);
      if (outcome !== null) waiting.set(index, outcome);
      return "duplicate";
    });

    return {
      judgements,
      confirm: () => end(true),
      async drop() {
        for (const [index, event] of events.entries()) {
          judge.undo(event, number, judgements[index] ?? "limited");
        }
        end(false);
      },
      lostDuplicates: () => whichAreLost(waiting, (outcome) => outcome),
    };
  };
}
