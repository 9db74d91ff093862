import { createBudgets } from "./budgets.ts";
import { createDailySalts } from "./daily-salt.ts";
import { createJudge } from "./judging.ts";
import { createMemoryBatchJudge } from "./memory-batches.ts";
import { openTimeOf } from "./open-batches.ts";
import type { Limits, TrackingLimits } from "./port.ts";

/** A budget takes about a kilobyte, what tells duplicates and limits about 30 bytes. */
const USUAL_MAX_KEYS = 500_000;

export interface MemoryLimitsOptions {
  readonly limits: TrackingLimits;
  /** The file of the day's salt, readable by its owner only, so that visitors stay the same over a restart. */
  readonly saltFile?: string;
  /** Most keys held for each purpose (limits, duplicates of a kind, a rule's budgets), and as many of events of any time. Default 500,000. */
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
  const budgets = createBudgets(maxKeys, onShared);
  const salts = createDailySalts(saltFile);

  return {
    ...createMemoryBatchJudge(judge, openTimeOf(limits)),
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
