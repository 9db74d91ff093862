import type { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { type Budgets, createBudgets } from "./budgets.ts";
import { newSalt, saltLifetimeSeconds } from "./daily-salt.ts";
import type { Limits, RateRule, RateVerdict, TrackingLimits } from "./port.ts";
import { createRedisBatchJudge } from "./redis-batches.ts";

const PROBE_LIFETIME_MS = 10_000;
/** While Redis is away. */
const MOST_OWN_BUDGETS = 100_000;

export interface RedisLimitsOptions {
  /** From `openRedis`; stays its caller's to close. */
  readonly redis: Redis;
  readonly limits: TrackingLimits;
  /** Before each key: installations that share a server keep apart by it. Default `placard`. */
  readonly prefix?: string;
  /** Told when budgets are counted by this process alone, because Redis is away. */
  readonly onAlone?: (error: unknown) => void;
}

/**
 * Limits that all processes of an installation share. While Redis is away events are not judged (`judge` rejects): what
 * is acknowledged has been judged against what every process has seen. Budgets go on, each process counting for itself.
 */
export function createRedisLimits(options: RedisLimitsOptions): Limits {
  const { redis, limits, prefix = "placard", onAlone = () => undefined } = options;
  const budgets = createRedisBudgets(redis, `${prefix}:budget`);
  const own = createBudgets(MOST_OWN_BUDGETS, () => undefined);
  const judge = createRedisBatchJudge({ redis, limits, prefix });

  return {
    judge,
    async consume(rule, key) {
      try {
        return await budgets.consume(rule, key);
      } catch (error) {
        onAlone(error);
        return own.consume(rule, key);
      }
    },
    async visitorSalt(day) {
      const key = `${prefix}:salt:${day}`;
      const made = newSalt();
      await redis.set(key, made, "EX", saltLifetimeSeconds(day, Date.now()), "NX");
      const salt = await redis.get(key);
      if (salt === null) throw new Error(`Redis has lost the salt of ${day} that it was given.`);
      return salt;
    },
    async isWritable() {
      const writing = redis.set(`${prefix}:probe`, "", "PX", PROBE_LIFETIME_MS);
      return await writing.then(
        () => true,
        () => false,
      );
    },
    async close() {
      await own.clear();
    },
  };
}

function createRedisBudgets(redis: Redis, keyPrefix: string): Pick<Budgets, "consume"> {
  const limiters = new Map<string, RateLimiterRedis>();

  function limiterOf({ name, points, durationSeconds }: RateRule): RateLimiterRedis {
    const id = `${name} ${points} ${durationSeconds}`;
    let limiter = limiters.get(id);
    if (limiter === undefined) {
      limiter = new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${keyPrefix}:${name}:${points}:${durationSeconds}`,
        points,
        duration: durationSeconds,
      });
      limiters.set(id, limiter);
    }
    return limiter;
  }

  async function take(rule: RateRule, key: string): Promise<RateLimiterRes> {
    try {
      return await limiterOf(rule).consume(key);
    } catch (refused) {
      // Refusals come as rejections that are no errors.
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  }

  return {
    async consume(rule, key): Promise<RateVerdict> {
      if (rule.points === 0) return { allowed: true, limit: 0, remaining: 0, resetMs: 0 };
      const { consumedPoints, remainingPoints, msBeforeNext } = await take(rule, key);
      return {
        allowed: consumedPoints <= rule.points,
        limit: rule.points,
        remaining: remainingPoints,
        resetMs: Math.max(0, msBeforeNext),
      };
    },
  };
}
