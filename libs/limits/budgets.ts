import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { RateRule, RateVerdict } from "./port.ts";

/** Timers behind the budgets cannot be longer. */
const LONGEST_SECONDS = 2_147_483;
/** Budgets that newcomers share once there is no room for one each. */
const SHARED_BUDGETS = 1024;

/** How much is left for each key of each rule, in this process. */
export interface Budgets {
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  clear(): Promise<void>;
}

/**
 * Keeps a budget for at most `maxKeys` keys of a rule. When there are more in one duration, newcomers share 1,024
 * budgets by hash: nobody gets more for crowding others out, and nobody's budget is forgotten. `onShared` hears each
 * time that happens.
 */
export function createBudgets(maxKeys: number, onShared: (rule: string) => void): Budgets {
  const rules = new Map<string, RuleBudgets>();

  return {
    async consume(rule, key) {
      const id = `${rule.name} ${rule.points} ${rule.durationSeconds}`;
      let budgets = rules.get(id);
      if (budgets === undefined) {
        budgets = new RuleBudgets(rule, maxKeys, () => onShared(rule.name));
        rules.set(id, budgets);
      }
      return budgets.consume(key);
    },
    async clear() {
      await Promise.all([...rules.values()].map((budgets) => budgets.clear()));
      rules.clear();
    },
  };
}

class RuleBudgets {
  readonly #rule: RateRule;
  readonly #limiter: RateLimiterMemory;
  readonly #maxKeys: number;
  readonly #onShared: () => void;
  /** Keys by the time their budget ends; the limiter itself does not tell how many it holds. */
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

  async consume(key: string): Promise<RateVerdict> {
    const { points } = this.#rule;
    if (points === 0) return { allowed: true, limit: 0, remaining: 0, resetMs: 0 };
    const result = await this.#take(this.#slotFor(key));
    return {
      allowed: result.consumedPoints <= points,
      limit: points,
      remaining: result.remainingPoints,
      resetMs: Math.max(0, result.msBeforeNext),
    };
  }

  async clear(): Promise<void> {
    await Promise.all(this.#limiter.dump().storage.map(({ key }) => this.#limiter.delete(key)));
    this.#endsAt.clear();
  }

  /** Refusals come as rejections that are no errors. */
  async #take(slot: string): Promise<RateLimiterRes> {
    try {
      return await this.#limiter.consume(slot);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  }

  /** Runs to its end with `consume` in one go, so that concurrent calls cannot both take the last place. */
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
