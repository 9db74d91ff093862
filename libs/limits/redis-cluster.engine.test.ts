import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { describeLimits } from "./limits-suite.ts";
import { createRedisLimits } from "./redis.ts";
import { aBatch, anEvent, judgementsOf, LIMITS } from "./suite/events.ts";
import { openTestCluster } from "./tests/engines.ts";

const { redis, health } = await openTestCluster();

describeLimits("redis cluster", async (limits) =>
  createRedisLimits({ redis, limits, health, prefix: randomUUID() }),
);

it("sees the events of other processes in each part of a batch", async () => {
  const prefix = randomUUID();
  const here = createRedisLimits({ redis, limits: LIMITS, health, prefix });
  const there = createRedisLimits({ redis, limits: LIMITS, health, prefix });
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
  });
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
});
