import { createBudgets } from "./budgets.ts";
import { createDailySalts } from "./daily-salt.ts";
import type { Limits } from "./port.ts";

/** A budget takes about a kilobyte. */
const USUAL_MAX_KEYS = 500_000;

export interface MemoryLimitsOptions {
  /** The file of the day's salt, readable by its owner only, so that visitors stay the same over a restart. */
  readonly saltFile?: string;
  /** Most keys with a budget for each rule. Default 500,000. */
  readonly maxKeys?: number;
  /** Called when callers of a rule share a budget because there are too many. */
  readonly onShared?: (rule: string) => void;
}

/** Limits of an installation of a single process. Budgets are lost with the process, the day's salt is not. */
export function createMemoryLimits(options: MemoryLimitsOptions = {}): Limits {
  const { saltFile, maxKeys = USUAL_MAX_KEYS, onShared = () => undefined } = options;
  const budgets = createBudgets(maxKeys, onShared);
  const salts = createDailySalts(saltFile);

  return {
    consume: (rule, key, cost) => budgets.consume(rule, key, cost),
    visitorSalt: (day) => salts.saltOf(day),
    close: async () => {
      await budgets.clear();
      await salts.settled();
    },
  };
}
