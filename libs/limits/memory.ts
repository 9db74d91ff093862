import { createBudgets } from "./budgets.ts";
import { createDailySalts } from "./daily-salt.ts";
import { BATCH_NUMBERS, createJudge, type Judge } from "./judging.ts";
import { OpenBatches, openTimeOf, whichAreLost } from "./open-batches.ts";
import type { EventToJudge, JudgedBatch, Judgement, Limits, TrackingLimits } from "./port.ts";

/** A budget takes about 150 bytes, what tells duplicates and limits about 30. */
const USUAL_MAX_KEYS = 500_000;

export interface MemoryLimitsOptions {
  readonly limits: TrackingLimits;
  /** The file of the day's salt, readable by its owner only, so that visitors stay the same over a restart. */
  readonly saltFile?: string;
  /** Most keys held for each purpose (limits, duplicates of a kind, a rule's budgets). Default 500,000. */
  readonly maxKeys?: number;
  /** Called with the number of limits or marks dropped early for lack of room: some events then count too often. */
  readonly onForgotten?: (entries: number) => void;
  /** Called when callers of a rule share a budget because there are too many. */
  readonly onShared?: (rule: string) => void;
}

/** Limits of an installation of a single process. Counters are lost with the process, the day's salt is not. */
export function createMemoryLimits(options: MemoryLimitsOptions): Limits {
  const { limits, saltFile, maxKeys = USUAL_MAX_KEYS, onForgotten = ignore, onShared = ignore } = options;
  const judge = createJudge(limits, maxKeys, onForgotten);
  const judgeBatch = createBatchJudge(judge, openTimeOf(limits));
  const budgets = createBudgets(maxKeys, onShared);
  const salts = createDailySalts(saltFile);

  return {
    judge: async (events) => judgeBatch(events),
    consume: (rule, key) => budgets.consume(rule, key),
    isWritable: async () => true,
    visitorSalt: (day) => salts.saltOf(day),
    close: async () => {
      judge.clear();
      await budgets.clear();
      await salts.settled();
    },
  };
}

function ignore(): void {}

/**
 * Makes the function that judges batches one after the other. A batch whose outcome stays unknown is open for `openMs`
 * milliseconds. Throws if `BATCH_NUMBERS` batches are open.
 */
function createBatchJudge(judge: Judge, openMs: number): (events: readonly EventToJudge[]) => JudgedBatch {
  const open = new OpenBatches<number>();
  let last = 0;

  function nextNumber(): number {
    open.forgetThoseOver();
    for (let tried = 0; tried < BATCH_NUMBERS; tried += 1) {
      last = (last + 1) % BATCH_NUMBERS;
      if (!open.has(last)) return last;
    }
    throw new Error("Too many batches are open.");
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
