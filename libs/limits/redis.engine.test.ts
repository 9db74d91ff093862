import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openRedis, RedisHealth } from "#libs/redis/index.ts";
import { aPassingEngine } from "../../infra/native/private-engine.ts";
import { redisRecipe } from "../../infra/native/recipes.ts";
import { describeLimits } from "./limits-suite.ts";
import type { Limits } from "./port.ts";
import { createRedisLimits, type RedisLimitsOptions } from "./redis.ts";
import { aBatch, anEvent, judgementsOf } from "./suite/events.ts";
import { openTestRedis } from "./tests/engines.ts";

const LIMITS = {
  impressionsPerMinute: 3,
  clicksPerMinute: 3,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};
const NOON = Date.UTC(2026, 10, 21, 12);

const { redis, health } = await openTestRedis();

describeLimits("redis", async (limits) => createRedisLimits({ redis, limits, health, prefix: randomUUID() }));

describe("limits of two processes on one Redis", () => {
  it("see each other's events, budgets and salt", async () => {
    const prefix = randomUUID();
    const here = limitsIn({ redis, limits: LIMITS, prefix });
    const there = limitsIn({ redis, limits: LIMITS, prefix });

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
    const limits = limitsIn({ redis, limits: LIMITS, prefix });

    await judgementsOf(limits, [visit("v0")]);
    await limits.consume({ name: "calls", points: 1, durationSeconds: 60 }, "key");
    await limits.visitorSalt("2020-11-21");

    const salts = `${prefix}:salt:*`;
    // Today's and tomorrow's are made without being asked for.
    await expect.poll(async () => await redis.keys(salts)).toHaveLength(3);
    const keys = await redis.keys(`${prefix}:*`);
    const lifetimes = await Promise.all(keys.map((key) => redis.ttl(key)));
    expect(keys).toHaveLength(3 + 3);
    expect(Math.min(...lifetimes)).toBeGreaterThan(0);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(49 * 3600);
    expect(await redis.ttl(`${prefix}:salt:2020-11-21`)).toBeLessThanOrEqual(3600);
  });
});

describe("limits of two processes, one of which fails to store", () => {
  const NO_LIMITS = { ...LIMITS, impressionsPerMinute: 0 };

  it("let a duplicate elsewhere wait for its original, and share its end", async () => {
    const prefix = randomUUID();
    const here = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const there = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const stored = await here.judge([visit("v0")], aBatch());
    const failed = await here.judge([visit("v1")], aBatch());
    await here.judge([visit("v2")], aBatch());
    const duplicates = await there.judge([visit("v0"), visit("v1"), visit("v2")], aBatch());

    stored.confirm();
    await failed.drop();

    expect(duplicates.judgements).toEqual(["duplicate", "duplicate", "duplicate"]);
    expect(await duplicates.lostDuplicates()).toEqual(new Set([1, 2]));
    expect(await judgementsOf(there, [visit("v0"), visit("v1")])).toEqual(["duplicate", "fresh"]);
  });

  it("read the marks that an earlier version has left", async () => {
    const prefix = randomUUID();
    const limits = limitsIn({ redis, limits: NO_LIMITS, prefix });
    await redis.set(`${prefix}:{judge}:times:impression:v0:ad_0`, `${NOON} ${NOON - 60_000}`);

    const judgements = await judgementsOf(limits, [visit("v0"), visit("v0", NOON - 59_000), visit("v1")]);

    expect(judgements).toEqual(["duplicate", "duplicate", "fresh"]);
  });
});

describe("late events of two processes", () => {
  const NO_LIMITS = { ...LIMITS, impressionsPerMinute: 0 };

  it("wait for the originals that are open elsewhere, and count where those are not stored", async () => {
    const prefix = randomUUID();
    const here = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const there = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const stored = await here.judge([visit("v0")], aBatch());
    const failed = await here.judge([visit("v1")], aBatch());
    const batch = aBatch({ isLate: true });
    const events = [visit("v0"), visit("v1"), visit("v1", NOON + 1_000)];

    const judging = there.judge(events, batch);
    await expect.poll(() => redis.exists(`${prefix}:{judge}:answers:${batch.id}`)).toBe(1);
    stored.confirm();
    await failed.drop();

    const judged = await judging;
    const again = await here.judge(events, batch);
    expect(judged.judgements).toEqual(["duplicate", "fresh", "duplicate"]);
    expect(again.judgements).toEqual(judged.judgements);
    expect(await judged.lostDuplicates()).toEqual(new Set());
  });

  it("wait for no batch that is durable, as two could wait for each other", async () => {
    const prefix = randomUUID();
    const here = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const there = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const kept = () => aBatch({ isLate: true, isDurable: true });
    const original = await here.judge([visit("v0")], kept());
    const live = aBatch();
    await here.judge([visit("v1")], live);
    await here.judge([visit("v1")], { ...live, isLate: true, isDurable: true });

    const judged = await there.judge([visit("v0"), visit("v1")], kept());
    original.confirm();

    expect(judged.judgements).toEqual(["duplicate", "duplicate"]);
    expect(await redis.zrange(`${prefix}:{judge}:open`, 0, "+inf", "BYSCORE")).not.toContain(live.id);
  }, 10_000);

  it("wait half as long for a process that died, where they are durable", async () => {
    const prefix = randomUUID();
    const limits = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const lost = aBatch();
    await limitsIn({ redis, limits: NO_LIMITS, prefix }).judge([visit("v0")], lost);
    await redis.zadd(`${prefix}:{judge}:open`, Date.now() + 10_000, lost.id);

    const judged = await limits.judge([visit("v0")], aBatch({ isLate: true, isDurable: true }));

    expect(judged.judgements).toEqual(["duplicate"]);
  }, 8_000);

  it("find the marks of what was judged on time while a batch before them waited for a process that died", async () => {
    const prefix = randomUUID();
    const limits = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const click = (at: number) => anEvent({ kind: "click", visitor: "v0", occurredAt: at });
    await judgementsOf(limits, [click(NOON)]);
    const first = await redis.pttl(`${prefix}:{judge}:times:click:v0:ad_0`);
    await judgementsOf(limits, [click(NOON + 2_000)]);
    const second = await redis.pttl(`${prefix}:{judge}:times:click:v0:ad_0`);

    expect(first).toBeGreaterThan(15_000);
    expect(second).toBeGreaterThan(15_000);
  });

  it("are kept apart from on-time ones, whose marks are short-lived", async () => {
    const prefix = randomUUID();
    const limits = limitsIn({ redis, limits: LIMITS, prefix });
    const hourAgo = Date.now() - 3_600_000;

    await judgementsOf(limits, [visit("late", hourAgo)], { isLate: true });
    await judgementsOf(limits, [visit("usual", hourAgo)]);

    const lifetimeOf = async (visitor: string) =>
      await redis.pttl(`${prefix}:{judge}:times:impression:${visitor}`);
    expect(await lifetimeOf("late:ad_0")).toBeGreaterThan(3_500_000);
    expect(await lifetimeOf("late:ad_0")).toBeLessThan(3_700_000);
    expect(await lifetimeOf("usual:ad_0")).toBeLessThanOrEqual(20_000);
  });

  it("make duplicates of events that come on time, until they are dropped", async () => {
    const prefix = randomUUID();
    const limits = limitsIn({ redis, limits: NO_LIMITS, prefix });
    await judgementsOf(limits, [visit("v0")], { isLate: true });
    const dropped = await limits.judge([visit("v1")], aBatch({ isLate: true }));
    await dropped.drop();

    const onTime = await judgementsOf(limits, [visit("v0", NOON + 9_999), visit("v1", NOON + 9_999)]);

    expect(onTime).toEqual(["duplicate", "fresh"]);
  });

  it("keep their marks while the visitor is there on time, and a bounded number of them", async () => {
    const prefix = randomUUID();
    const limits = limitsIn({ redis, limits: NO_LIMITS, prefix });
    const lateTimes = Array.from({ length: 300 }, (_, n) => NOON + n * 20_000);
    const late = lateTimes.map((at) => visit("v0", at));

    await judgementsOf(limits, late, { isLate: true });
    for (let n = 0; n < 5; n += 1) await judgementsOf(limits, [visit("v0", NOON + 86_400_000 + n * 20_000)]);
    const again = await judgementsOf(limits, late.slice(-64), { isLate: true });

    const marks = await redis.get(`${prefix}:{judge}:times:impression:v0:ad_0`);
    expect(new Set(again)).toEqual(new Set(["duplicate"]));
    expect(marks?.split(/[ |]/).length).toBe(2 + 64);
  });
});

describe("limits on a Redis that does not answer in time", () => {
  const NO_LIMITS = { ...LIMITS, impressionsPerMinute: 0 };
  /** Below the 2 s after which the connection gives a command up. */
  const PAUSED_MS = 1_500;
  let frozen: Redis;
  let waker: Redis;
  beforeEach(async () => {
    frozen = redis.duplicate();
    waker = redis.duplicate();
    await Promise.all([once(frozen, "ready"), once(waker, "ready")]);
  });
  afterEach(() => {
    frozen.disconnect();
    waker.disconnect();
  });

  async function untilBack(limits: Limits): Promise<void> {
    await expect.poll(() => redis.ping().catch(() => "away"), { timeout: 20_000 }).toBe("PONG");
    await expect.poll(() => judges(limits), { timeout: 20_000 }).toBe(true);
  }

  it("judge nothing, and leave no mark of a batch that was abandoned", async () => {
    const prefix = randomUUID();
    const here = limitsIn({ redis: frozen, limits: NO_LIMITS, prefix });
    const there = limitsIn({ redis, limits: NO_LIMITS, prefix });
    await untilBack(here);
    await waker.client("PAUSE", PAUSED_MS, "ALL");

    const batch = aBatch();
    await expect(here.judge([visit("v0")], batch)).rejects.toThrow("did not answer within 250 ms");
    const abandoning = here.abandon(batch.id);
    await untilBack(here);
    await abandoning;

    expect(await judgementsOf(there, [visit("v0")])).toEqual(["fresh"]);
  });

  it("judge a batch once that timed out and is judged again later, and let duplicates of it be acknowledged", async () => {
    const prefix = randomUUID();
    const here = limitsIn({ redis: frozen, limits: NO_LIMITS, prefix });
    const there = limitsIn({ redis, limits: NO_LIMITS, prefix });
    await untilBack(here);
    await waker.client("PAUSE", PAUSED_MS, "ALL");

    const batch = aBatch({ isLate: true });
    await expect(here.judge([visit("v0"), visit("v1")], batch)).rejects.toThrow("did not answer");
    await expect(here.judge([visit("v2")], aBatch())).rejects.toThrow("Redis is away");
    const settling = here.settle(batch.id);
    await untilBack(here);
    await settling;

    const duplicate = await there.judge([visit("v0"), visit("v2")], aBatch());
    const late = await there.judge([visit("v0"), visit("v1")], batch);
    expect(duplicate.judgements).toEqual(["duplicate", "fresh"]);
    expect(await duplicate.lostDuplicates()).toEqual(new Set());
    expect(late.judgements).toEqual(["fresh", "fresh"]);
  });

  /** The salt is asked for as well: a batch without events asks Redis nothing. */
  async function judges(limits: Limits): Promise<boolean> {
    return await Promise.all([limits.visitorSalt("2020-11-21"), judgementsOf(limits, [])]).then(
      () => true,
      () => false,
    );
  }
});

describe("limits on a Redis that answers and is full", () => {
  it("are not writable, judge nothing of a batch, and drop what was judged before", async () => {
    const full = await aPassingEngine(redisRecipe);
    onTestFinished(() => full.remove());
    await full.program.start();
    const own = new Redis(full.address.url);
    onTestFinished(() => own.disconnect());
    await once(own, "ready");
    const patient = new RedisHealth({ redis: own, withinMs: 20_000 });
    const limits = limitsIn({ redis: own, health: patient, limits: LIMITS, prefix: "test" });
    const before = await limits.isWritable();
    const judged = await limits.judge([visit("v0")], aBatch());

    await own.config("SET", "maxmemory", "1");
    const whileFull = await limits.isWritable();
    const batch = aBatch({ isLate: true });
    await expect(limits.judge([visit("v1")], batch)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await limits.settle(batch.id);
    await judged.drop();
    await own.config("SET", "maxmemory", "0");

    expect([before, whileFull]).toEqual([true, false]);
    expect(await limits.isWritable()).toBe(true);
    expect((await limits.judge([visit("v1")], batch)).judgements).toEqual(["fresh"]);
    expect(await judgementsOf(limits, [visit("v0")])).toEqual(["fresh"]);
  }, 60_000);
});

describe("limits while Redis is away", () => {
  it("judge nothing, and count budgets in this process", async () => {
    const warnings: string[] = [];
    const away = await openRedis({
      url: process.env.REDIS_TEST_URL ?? "",
      name: "test",
      onWarning: (message) => warnings.push(message),
    });
    away.disconnect();
    const alone: unknown[] = [];
    const limits = limitsIn({ redis: away, limits: LIMITS, onAlone: (error) => alone.push(error) });
    const rule = { name: "calls", points: 1, durationSeconds: 60 };

    await expect(limits.judge([visit("v0")], aBatch())).rejects.toThrow();
    const verdicts = [await limits.consume(rule, "key"), await limits.consume(rule, "key")];

    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(alone).toHaveLength(2);
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

function limitsIn(options: RedisLimitsOptions): Limits {
  const limits = createRedisLimits(options.redis === redis ? { health, ...options } : options);
  onTestFinished(() => limits.close());
  return limits;
}
