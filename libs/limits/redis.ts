import type { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { RedisHealth } from "#libs/redis/index.ts";
import { type Budgets, createBudgets, takeOne, UNLIMITED } from "./budgets.ts";
import { newSalt, saltLifetimeSeconds } from "./daily-salt.ts";
import type { Limits, RateRule, TrackingLimits } from "./port.ts";
import { createRedisBatchJudge } from "./redis-batches.ts";

/** A server that does not answer for this long counts as away. */
const USUAL_ANSWER_MS = 250;
/** Keys that have a budget of their own while Redis is away. */
const MOST_OWN_BUDGETS = 100_000;

export interface RedisLimitsOptions {
  /** From `openRedis`; the caller closes it. */
  readonly redis: Redis;
  readonly limits: TrackingLimits;
  /** The prefix of each key, which separates installations on one server. Default `placard`. */
  readonly prefix?: string;
  /** How long `judge`, `consume` and `isWritable` wait for an answer, in milliseconds. Default 250. */
  readonly answersWithinMs?: number;
  /** Called when this process counts a budget alone, because Redis is away. */
  readonly onAlone?: (error: unknown) => void;
}

/**
 * Limits that all processes of an installation share. While Redis is away `judge` rejects, because events are judged
 * against those of every process. Budgets continue, and each process counts for itself.
 */
export function createRedisLimits(options: RedisLimitsOptions): Limits {
  const { redis, limits, prefix = "placard", onAlone = () => undefined } = options;
  const withinMs = options.answersWithinMs ?? USUAL_ANSWER_MS;
  const health = new RedisHealth({ redis, withinMs, probeKey: `${prefix}:probe` });
  const budgets = createRedisBudgets(redis, `${prefix}:budget`);
  const own = createBudgets(MOST_OWN_BUDGETS, () => undefined);

  return {
    ...createRedisBatchJudge({ redis, health, limits, prefix }),
    async consume(rule, key) {
      try {
        return await health.call(() => budgets.consume(rule, key));
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
    isWritable: () => health.isWritable(),
    async close() {
      health.close();
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
