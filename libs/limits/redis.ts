import { RateLimiterRedis } from "rate-limiter-flexible";
import { type RedisClient, RedisHealth } from "#libs/redis/index.ts";
import { type Budgets, createBudgets, take, UNLIMITED } from "./budgets.ts";
import type { Limits, RateRule } from "./port.ts";
import { createRedisSalts } from "./redis-salts.ts";

/** A server that does not answer for this long counts as away. */
const USUAL_ANSWER_MS = 250;
/** Keys that have a budget of their own while Redis is away. */
const MOST_OWN_BUDGETS = 100_000;

export interface RedisLimitsOptions {
  /** From `openRedis`; the caller closes it. */
  readonly redis: RedisClient;
  /** The prefix of each key, which separates installations on one server. Default `placard`. */
  readonly prefix?: string;
  /** Watches the connection; the caller closes it. By default one that waits for 250 ms. */
  readonly health?: RedisHealth;
  /** Called when this process counts a budget alone, because Redis is away. */
  readonly onAlone?: (error: unknown) => void;
}

/** Limits that all processes of an installation share. While Redis is away, each process counts budgets for itself. */
export function createRedisLimits(options: RedisLimitsOptions): Limits {
  const { redis, prefix = "placard", onAlone = () => undefined } = options;
  const health = options.health ?? new RedisHealth({ redis, withinMs: USUAL_ANSWER_MS, prefix });
  const salts = createRedisSalts({ redis, health, prefix });
  const budgets = createRedisBudgets(redis, `${prefix}:budget`);
  const own = createBudgets(MOST_OWN_BUDGETS, () => undefined);

  return {
    async consume(rule, key, cost = 1) {
      try {
        return await health.call(() => budgets.consume(rule, key, cost));
      } catch (error) {
        onAlone(error);
        return own.consume(rule, key, cost);
      }
    },
    visitorSalt: (day) => salts.saltOf(day),
    async close() {
      salts.close();
      if (options.health === undefined) health.close();
      await own.clear();
    },
  };
}

function createRedisBudgets(redis: RedisClient, keyPrefix: string): Pick<Budgets, "consume"> {
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
    consume: async (rule, key, cost = 1) =>
      rule.points === 0 ? UNLIMITED : await take(limiterOf(rule), rule.points, key, cost),
  };
}
