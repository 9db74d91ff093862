import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import type { Limits } from "./port.ts";
import { createRedisLimits } from "./redis.ts";
import { aBatch, anEvent, judgementsOf, LIMITS, NOON } from "./suite/events.ts";
import { openTestRedis } from "./tests/engines.ts";

const { redis, health } = await openTestRedis();

function limitsOf(prefix: string): Limits {
  const limits = createRedisLimits({ redis, limits: LIMITS, health, prefix });
  onTestFinished(() => limits.close());
  return limits;
}

it("refuses a batch that was abandoned, for a day once it is late, and judges its events under another id", async () => {
  const prefix = randomUUID();
  const limits = limitsOf(prefix);
  const batch = aBatch({ isLate: true, isDurable: true });
  const answers = `${prefix}:{judge}:answers:${batch.id}`;
  // As a process leaves it that abandoned the batch while Redis did not answer.
  await redis.set(answers, "abandoned", "PX", 20_000);

  await expect(limits.judge([anEvent({})], batch)).rejects.toMatchObject({
    name: "LimitsError",
    code: "REFUSED",
    message: expect.stringContaining("was abandoned"),
  });

  expect(await redis.ttl(answers)).toBeGreaterThan(86_000);
  expect(await judgementsOf(limits, [anEvent({})], { isLate: true })).toEqual(["fresh"]);
});

it("takes no event for a duplicate of itself whose batch's answers Redis has evicted", async () => {
  const prefix = randomUUID();
  const limits = limitsOf(prefix);
  const batch = aBatch();
  const events = [anEvent({}), anEvent({ occurredAt: NOON + 1_000 }), anEvent({ visitor: "another" })];
  await limits.judge(events, batch);
  await redis.del(`${prefix}:{judge}:answers:${batch.id}`);

  const late = await limits.judge(events, { ...batch, isLate: true, isDurable: true });
  late.confirm();

  expect(late.judgements).toEqual(["fresh", "duplicate", "fresh"]);
  expect(await judgementsOf(limits, [anEvent({})])).toEqual(["duplicate"]);
});

it("fails at a batch whose visitor's marks are nothing of the judge's, and judges others", async () => {
  const prefix = randomUUID();
  const limits = limitsOf(prefix);
  await redis.lpush(`${prefix}:{judge}:times:impression:odd:ad_0`, "a list");

  await expect(limits.judge([anEvent({ visitor: "odd" })], aBatch({ isLate: true }))).rejects.toMatchObject({
    name: "LimitsError",
    code: "FAILED",
  });

  expect(await judgementsOf(limits, [anEvent({})])).toEqual(["fresh"]);
});
