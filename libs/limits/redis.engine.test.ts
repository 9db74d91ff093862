import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { openRedis } from "#libs/redis/index.ts";
import { describeLimits } from "./limits-suite.ts";
import type { Limits } from "./port.ts";
import { createRedisLimits, type RedisLimitsOptions } from "./redis.ts";
import { openTestRedis } from "./tests/engines.ts";

const { redis, health } = await openTestRedis();

describeLimits("redis", async () => createRedisLimits({ redis, health, prefix: randomUUID() }));

it("lets two processes see each other's budgets and salt", async () => {
  const prefix = randomUUID();
  const here = limitsIn({ redis, prefix });
  const there = limitsIn({ redis, prefix });

  const rule = { name: "calls", points: 1, durationSeconds: 60 };
  const verdicts = [await here.consume(rule, "key"), await there.consume(rule, "key")];

  expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
  expect(await there.visitorSalt("2026-11-21")).toBe(await here.visitorSalt("2026-11-21"));
});

it("leaves nothing behind for longer than it is needed", async () => {
  const prefix = randomUUID();
  const limits = limitsIn({ redis, prefix });

  await limits.consume({ name: "calls", points: 1, durationSeconds: 60 }, "key");
  await limits.visitorSalt("2020-11-21");

  const salts = `${prefix}:salt:*`;
  // Today's and tomorrow's are made without being asked for.
  await expect.poll(async () => await redis.keys(salts)).toHaveLength(3);
  const keys = await redis.keys(`${prefix}:*`);
  const lifetimes = await Promise.all(keys.map((key) => redis.ttl(key)));
  expect(keys).toHaveLength(3 + 1);
  expect(Math.min(...lifetimes)).toBeGreaterThan(0);
  expect(Math.max(...lifetimes)).toBeLessThanOrEqual(49 * 3600);
  expect(await redis.ttl(`${prefix}:salt:2020-11-21`)).toBeLessThanOrEqual(3600);
});

it("counts budgets in this process while Redis is away", async () => {
  const away = await openRedis({
    url: process.env.REDIS_TEST_URL ?? "",
    name: "test",
    onWarning: () => undefined,
  });
  away.disconnect();
  const alone: unknown[] = [];
  const limits = limitsIn({ redis: away, onAlone: (error) => alone.push(error) });
  const rule = { name: "calls", points: 1, durationSeconds: 60 };

  const verdicts = [await limits.consume(rule, "key"), await limits.consume(rule, "key")];

  expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
  expect(alone).toHaveLength(2);
});

function limitsIn(options: RedisLimitsOptions): Limits {
  const limits = createRedisLimits(options.redis === redis ? { health, ...options } : options);
  onTestFinished(() => limits.close());
  return limits;
}
