import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRedis, type RedisClient, RedisHealth } from "#libs/redis/index.ts";
import { describeLimits } from "./limits-suite.ts";
import { createRedisLimits } from "./redis.ts";
import { aBatch, anEvent, judgementsOf, LIMITS } from "./suite/events.ts";

const REDIS_URL = process.env.REDIS_CLUSTER_TEST_URL ?? "";

let redis: RedisClient;
/** Patient, for a busy machine. */
let health: RedisHealth;
beforeAll(async () => {
  redis = await openRedis({ url: REDIS_URL, name: "test", onWarning: (message) => expect.fail(message) });
  // Each of the many limits below listens to it.
  redis.setMaxListeners(0);
  health = new RedisHealth({ redis, withinMs: 20_000 });
});
afterAll(() => redis.disconnect());

describeLimits("redis cluster", async (limits) =>
  createRedisLimits({ redis, limits, health, prefix: randomUUID() }),
);

it("sees the events of other processes in each part of a batch", async () => {
  const prefix = randomUUID();
  const here = createRedisLimits({ redis, limits: LIMITS, health, prefix });
  const there = createRedisLimits({ redis, limits: LIMITS, health, prefix });
  const events = Array.from({ length: 200 }, (_, n) => anEvent({ address: `a${n}`, visitor: `v${n}` }));
  const stored = await here.judge(events.slice(0, 100), aBatch());
  const failed = await here.judge(events.slice(100), aBatch());

  const duplicates = await there.judge(events, aBatch());
  stored.confirm();
  await failed.drop();

  expect(new Set(stored.judgements)).toEqual(new Set(["fresh"]));
  expect(new Set(duplicates.judgements)).toEqual(new Set(["duplicate"]));
  expect(await duplicates.lostDuplicates()).toEqual(new Set(events.slice(100).map((_, n) => 100 + n)));
  expect(new Set(await judgementsOf(there, events.slice(100)))).toEqual(new Set(["fresh"]));
  await Promise.all([here.close(), there.close()]);
});
