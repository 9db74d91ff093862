import { createBudgets } from "./budgets.ts";
import { createDailySalts } from "./daily-salt.ts";
import { createJudge } from "./judging.ts";
import { createBatchJudge } from "./memory-batches.ts";
import { openTimeOf } from "./open-batches.ts";
import type { Limits, TrackingLimits } from "./port.ts";

/** A budget takes about 150 bytes, what tells duplicates and limits about 30. */
const USUAL_MAX_KEYS = 500_000;

export interface MemoryLimitsOptions {
  readonly limits: TrackingLimits;
  /** Where the day's salt is kept, readable by its owner only, so that a restart does not make visitors new ones. */
  readonly saltFile?: string;
  /** Most keys held for each purpose (limits, duplicates of a kind, a rule's budgets). Default 500,000. */
  readonly maxKeys?: number;
  /** Told how many limits or duplicates were forgotten early because there were too many: some events count too often. */
  readonly onForgotten?: (entries: number) => void;
  /** Told when callers of a rule share a budget because there were too many of them. */
  readonly onShared?: (rule: string) => void;
}

/** Limits of an installation that is one process. Counters start anew with the process; the day's salt does not. */
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
