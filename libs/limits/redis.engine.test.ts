import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRedis } from "#libs/redis/index.ts";
import { describeLimits } from "./limits-suite.ts";
import { createRedisLimits } from "./redis.ts";
import { judgementsOf } from "./suite/events.ts";

const REDIS_URL = process.env.REDIS_TEST_URL ?? "";
const LIMITS = {
  impressionsPerMinute: 3,
  clicksPerMinute: 3,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};
const NOON = Date.UTC(2026, 10, 21, 12);

let redis: Redis;
beforeAll(async () => {
  redis = await openRedis({ url: REDIS_URL, name: "test", onWarning: (message) => expect.fail(message) });
});
afterAll(() => redis.disconnect());

describeLimits("redis", async (limits) => createRedisLimits({ redis, limits, prefix: randomUUID() }));

describe("limits of two processes on one Redis", () => {
  it("see each other's events, budgets and salt", async () => {
    const prefix = randomUUID();
    const here = createRedisLimits({ redis, limits: LIMITS, prefix });
    const there = createRedisLimits({ redis, limits: LIMITS, prefix });

    const judgements = [
      await judgementsOf(here, [visit("v0"), visit("v1")]),
      await judgementsOf(there, [visit("v0"), visit("v2")]),
    ];
    const rule = { name: "calls", points: 1, durationSeconds: 60 };
    const verdicts = [await here.consume(rule, "key"), await there.consume(rule, "key")];

    expect(judgements).toEqual([
      ["fresh", "fresh"],
      ["duplicate", "limited"],
    ]);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(await there.visitorSalt("2026-11-21")).toBe(await here.visitorSalt("2026-11-21"));
  });

  it("leave nothing behind for longer than it is needed", async () => {
    const prefix = randomUUID();
    const limits = createRedisLimits({ redis, limits: LIMITS, prefix });

    await judgementsOf(limits, [visit("v0")]);
    await limits.consume({ name: "calls", points: 1, durationSeconds: 60 }, "key");
    await limits.visitorSalt("2026-11-21");

    const keys = await redis.keys(`${prefix}:*`);
    const lifetimes = await Promise.all(keys.map((key) => redis.ttl(key)));
    expect(keys).toHaveLength(4);
    expect(Math.min(...lifetimes)).toBeGreaterThan(0);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(2 * 86_400);
    expect(await redis.ttl(`${prefix}:salt:2026-11-21`)).toBeLessThanOrEqual(25 * 3600);
  });
});

describe("limits of two processes, one of which fails to store", () => {
  const NO_LIMITS = { ...LIMITS, impressionsPerMinute: 0 };

  it("let a duplicate elsewhere wait for its original, and share its end", async () => {
    const prefix = randomUUID();
    const here = createRedisLimits({ redis, limits: NO_LIMITS, prefix });
    const there = createRedisLimits({ redis, limits: NO_LIMITS, prefix });
    const stored = await here.judge([visit("v0")]);
    const failed = await here.judge([visit("v1")]);
    await here.judge([visit("v2")]);
    const duplicates = await there.judge([visit("v0"), visit("v1"), visit("v2")]);

    stored.confirm();
    await failed.drop();

    expect(duplicates.judgements).toEqual(["duplicate", "duplicate", "duplicate"]);
    expect(await duplicates.lostDuplicates()).toEqual(new Set([1, 2]));
    expect(await judgementsOf(there, [visit("v0"), visit("v1")])).toEqual(["duplicate", "fresh"]);
  });

  it("leave no mark of a batch whose judging was given up before Redis came to it", async () => {
    const prefix = randomUUID();
    const frozen = redis.duplicate({ commandTimeout: 100 });
    const waker = redis.duplicate();
    await Promise.all([once(frozen, "ready"), once(waker, "ready")]);
    const limits = createRedisLimits({ redis: frozen, limits: NO_LIMITS, prefix });
    await waker.client("PAUSE", 1_000, "ALL");

    await expect(limits.judge([visit("v0")])).rejects.toThrow("timed out");

    await expect.poll(() => redis.ping().catch(() => "away"), { timeout: 20_000 }).toBe("PONG");
    const other = createRedisLimits({ redis, limits: NO_LIMITS, prefix });
    const first = async () => (await judgementsOf(other, [visit("v0")]))[0];
    expect(await first()).toBe("fresh");
    frozen.disconnect();
    waker.disconnect();
  });

  it("read the marks that an earlier version has left", async () => {
    const prefix = randomUUID();
    const limits = createRedisLimits({ redis, limits: NO_LIMITS, prefix });
    await redis.set(`${prefix}:{judge}:times:impression:v0:ad_0`, `${NOON} ${NOON - 60_000}`);

    const judgements = await judgementsOf(limits, [visit("v0"), visit("v0", NOON - 59_000), visit("v1")]);

    expect(judgements).toEqual(["duplicate", "duplicate", "fresh"]);
  });
});

describe("limits on a Redis that answers and takes no writes", () => {
  it("are not writable", async () => {
    const limits = createRedisLimits({ redis, limits: LIMITS, prefix: randomUUID() });
    const before = await limits.isWritable();

    await redis.config("SET", "maxmemory", "1");
    const full = await limits.isWritable();
    const answers = await redis.ping();
    await redis.config("SET", "maxmemory", "0");

    expect([before, full, answers]).toEqual([true, false, "PONG"]);
    expect(await limits.isWritable()).toBe(true);
  });
});

describe("limits while Redis is away", () => {
  it("judge nothing, and count budgets in this process", async () => {
    const warnings: string[] = [];
    const away = await openRedis({
      url: REDIS_URL,
      name: "test",
      onWarning: (message) => warnings.push(message),
    });
    away.disconnect();
    const alone: unknown[] = [];
    const limits = createRedisLimits({ redis: away, limits: LIMITS, onAlone: (error) => alone.push(error) });
    const rule = { name: "calls", points: 1, durationSeconds: 60 };

    await expect(limits.judge([visit("v0")])).rejects.toThrow();
    const verdicts = [await limits.consume(rule, "key"), await limits.consume(rule, "key")];

    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(alone).toHaveLength(2);
    await limits.close();
  });
});

function visit(visitor: string, occurredAt = NOON) {
  return {
    adId: "ad_0",
    kind: "impression" as const,
    address: "a1b2c3d4e5f60718",
    visitor,
    countable: true,
    occurredAt,
    limit: null,
  };
}
