import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { RateRule, RateVerdict } from "./port.ts";

/** The longest timer of Node. */
const LONGEST_SECONDS = 2_147_483;
/** Budgets that new keys share once `maxKeys` have one each. */
const SHARED_BUDGETS = 1024;

/** The budgets of all rules and keys, in this process. */
export interface Budgets {
  consume(rule: RateRule, key: string, cost?: number): Promise<RateVerdict>;
  clear(): Promise<void>;
}

/**
 * Keeps a budget for at most `maxKeys` keys of a rule. Above that, new keys share 1,024 budgets by hash and `onShared`
 * is called: a flood of keys gains nothing, and no budget is forgotten.
 */
export function createBudgets(maxKeys: number, onShared: (rule: string) => void): Budgets {
  const rules = new Map<string, RuleBudgets>();

  return {
    async consume(rule, key, cost = 1) {
      const id = `${rule.name} ${rule.points} ${rule.durationSeconds}`;
      let budgets = rules.get(id);
      if (budgets === undefined) {
        budgets = new RuleBudgets(rule, maxKeys, () => onShared(rule.name));
        rules.set(id, budgets);
      }
      return budgets.consume(key, cost);
    },
    async clear() {
      await Promise.all([...rules.values()].map((budgets) => budgets.clear()));
      rules.clear();
    },
  };
}

/** The verdict of a rule of 0 points, which is no limit. */
export const UNLIMITED: RateVerdict = { allowed: true, limit: 0, remaining: 0, resetMs: 0 };

/** Takes `cost` of `points` from the budget of `key`. */
export async function take(
  limiter: RateLimiterAbstract,
  points: number,
  key: string,
  cost: number,
): Promise<RateVerdict> {
  // The library rejects with a result when the budget is used up.
  const result = await limiter.consume(key, cost).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  return {
    allowed: result.consumedPoints <= points,
    limit: points,
    remaining: result.remainingPoints,
    resetMs: Math.max(0, result.msBeforeNext),
  };
}

class RuleBudgets {
  readonly #rule: RateRule;
  readonly #limiter: RateLimiterMemory;
  readonly #maxKeys: number;
  readonly #onShared: () => void;
  /** When the budget of each key ends; the limiter does not report how many it holds. */
  readonly #endsAt = new Map<string, number>();

  constructor(rule: RateRule, maxKeys: number, onShared: () => void) {
    if (!(rule.durationSeconds > 0 && rule.durationSeconds <= LONGEST_SECONDS)) {
      throw new RangeError(`limit ${rule.name}: the duration has to be 1 to ${LONGEST_SECONDS} seconds`);
    }
    this.#rule = rule;
    this.#maxKeys = maxKeys;
    this.#onShared = onShared;
    this.#limiter = new RateLimiterMemory({ points: rule.points, duration: rule.durationSeconds });
  }

  async consume(key: string, cost: number): Promise<RateVerdict> {
    const { points } = this.#rule;
    return points === 0 ? UNLIMITED : await take(this.#limiter, points, this.#slotFor(key), cost);
  }

  async clear(): Promise<void> {
    await Promise.all(this.#limiter.dump().storage.map(({ key }) => this.#limiter.delete(key)));
    this.#endsAt.clear();
  }

  /** Synchronous, so that concurrent calls cannot both take the last place. */
  #slotFor(key: string): string {
    const now = Date.now();
    const ends = this.#endsAt.get(key);
    if (ends !== undefined && ends > now) return `=${key}`;
    // Budgets end in the order they began, so the ended ones are always in front.
    for (const [other, end] of this.#endsAt) {
      if (end > now) break;
      this.#endsAt.delete(other);
    }
    if (this.#endsAt.size >= this.#maxKeys) {
      this.#onShared();
      return `~${hash(key) % SHARED_BUDGETS}`;
    }
    this.#endsAt.set(key, now + this.#rule.durationSeconds * 1000);
    return `=${key}`;
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
