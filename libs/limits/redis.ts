import type { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { type Budgets, createBudgets, takeOne, UNLIMITED } from "./budgets.ts";
import { newSalt, saltLifetimeSeconds } from "./daily-salt.ts";
import type { Limits, RateRule, TrackingLimits } from "./port.ts";
import { createRedisBatchJudge } from "./redis-batches.ts";

const PROBE_LIFETIME_MS = 10_000;
/** Keys that have a budget of their own while Redis is away. */
const MOST_OWN_BUDGETS = 100_000;

export interface RedisLimitsOptions {
  /** From `openRedis`; the caller closes it. */
  readonly redis: Redis;
  readonly limits: TrackingLimits;
  /** The prefix of each key, which separates installations on one server. Default `placard`. */
  readonly prefix?: string;
  /** Called when this process counts a budget alone, because Redis is away. */
  readonly onAlone?: (error: unknown) => void;
}

/**
 * Limits that all processes of an installation share. While Redis is away `judge` rejects, because an acknowledged event
 * has been judged against the events of every process. Budgets continue, and each process counts for itself.
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
      if (salt === null) throw new Error(`Redis has lost the salt of ${day}.`);
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

  return {
    consume: async (rule, key) =>
      rule.points === 0 ? UNLIMITED : await takeOne(limiterOf(rule), rule.points, key),
  };
}
