import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { describeLimits } from "./limits-suite.ts";
import type { EventToJudge, Limits } from "./port.ts";
import { createRedisLimits } from "./redis.ts";
import { aBatch, anEvent, judgementsOf, LIMITS } from "./suite/events.ts";
import { openTestCluster } from "./tests/engines.ts";

const { redis, health } = await openTestCluster();
const elsewhere = await openTestCluster();

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

it("lets late batches of two processes have duplicates of each other, and counts each visitor once", async () => {
  const options = { limits: { ...LIMITS, impressionsPerMinute: 0 }, prefix: randomUUID() };
  const here = createRedisLimits({ redis, health, ...options });
  const there = createRedisLimits({ ...elsewhere, ...options });
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
  });
  const batches = Array.from({ length: 60 }, (_, k) =>
    Array.from({ length: 50 }, (_, n) => anEvent({ address: `a${n}`, visitor: `v${k}-${n}` })),
  );

  async function judgeAll(limits: Limits, order: readonly EventToJudge[][]) {
    const judging = order.map(async (events) => {
      const judged = await limits.judge(events, aBatch({ isLate: true, isDurable: true }));
      judged.confirm();
      return judged.judgements;
    });
    return await Promise.all(judging);
  }

  // In opposite orders, so that batches in the middle are judged first by one process in one part, by the other in another.
  const [ones, others] = await Promise.all([judgeAll(here, batches), judgeAll(there, batches.toReversed())]);

  const twins = others.toReversed().flat();
  const pairs = ones.flat().map((judgement, n) => [judgement, twins[n]].sort().join(", "));
  expect(new Set(pairs)).toEqual(new Set(["duplicate, fresh"]));
}, 10_000);
