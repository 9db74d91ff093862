import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { spreadTags } from "#libs/redis/index.ts";
import { hash } from "./budgets.ts";
import type { BatchToJudge, EventToJudge, Judgement, Limits } from "./port.ts";
import { createRedisLimits } from "./redis.ts";
import { aBatch, anEvent, LIMITS } from "./suite/events.ts";
import { openTestCluster } from "./tests/engines.ts";

const { redis, health } = await openTestCluster();

const KEPT = { isLate: true, isDurable: true, isRepeatable: true };
/** As many as in `redis.ts`. */
const TAGS = spreadTags(24);

const EVENTS = Array.from({ length: 40 }, (_, n) => anEvent({ address: `a${n}`, visitor: `v${n}` }));
const PARTS = [...new Set(EVENTS.map(partOf))];
const [FIRST = "", ...OTHERS] = PARTS;

it("counts a kept batch under its other id, whichever of its parts was abandoned", async () => {
  const prefix = randomUUID();
  const limits = limitsOf(prefix);

  for (const part of PARTS) {
    const events = EVENTS.map((event) => ({ ...event, adId: `ad_${part}` }));
    const batch = aBatch(KEPT);
    await abandonPart(prefix, part, batch);

    expect(await judgedAgain(limits, events, batch)).toEqual(events.map(() => "fresh"));
  }
});

it("counts a kept batch under its other id, where its other parts were settled", async () => {
  const prefix = randomUUID();
  const batch = aBatch(KEPT);
  await abandonPart(prefix, FIRST, batch);
  await Promise.all(OTHERS.map((part) => redis.set(keyOf(prefix, part, `answers:${batch.id}`), "settled")));

  expect(await judgedAgain(limitsOf(prefix), EVENTS, batch)).toEqual(EVENTS.map(() => "fresh"));
});

it("counts a kept batch under its other id, long after a process died that had judged its other parts", async () => {
  const prefix = randomUUID();
  const limits = limitsOf(prefix);
  const batch = aBatch(KEPT);
  await limits.judge(EVENTS, batch);
  await abandonPart(prefix, FIRST, batch);
  await Promise.all(OTHERS.map((part) => redis.del(keyOf(prefix, part, "open"))));

  const judgements = await judgedAgain(limits, EVENTS, batch);

  const ofOthers = judgements.filter((_, n) => partOf(EVENTS[n] ?? anEvent({})) !== FIRST);
  expect(new Set(ofOthers)).toEqual(new Set(["fresh"]));
});

it("lets nothing wait for a kept batch that was judged in time, and whose answers Redis has evicted", async () => {
  const prefix = randomUUID();
  const limits = limitsOf(prefix);
  const batch = aBatch();
  await limits.judge(EVENTS, batch);
  await Promise.all(PARTS.map((part) => redis.del(keyOf(prefix, part, `answers:${batch.id}`))));
  await limits.judge(EVENTS, { ...batch, ...KEPT });

  const duplicates = await limits.judge(EVENTS, aBatch());

  expect(duplicates.judgements).toEqual(EVENTS.map(() => "duplicate"));
  expect(await duplicates.lostDuplicates()).toEqual(new Set());
});

/** Judges a batch that is refused, as `unjudged.ts` does: without a pause. */
async function judgedAgain(
  limits: Limits,
  events: readonly EventToJudge[],
  batch: BatchToJudge,
): Promise<readonly Judgement[]> {
  const judged = await limits.judge(events, batch).then(
    () => expect.fail("The batch was not refused."),
    (error: unknown) => {
      expect(error).toMatchObject({ code: "REFUSED" });
      return limits.judge(events, { ...batch, id: `${batch.id}-again` });
    },
  );
  judged.confirm();
  return judged.judgements;
}

/** As a process leaves a part that abandoned the batch before Redis had judged it. */
async function abandonPart(prefix: string, part: string, { id }: BatchToJudge): Promise<void> {
  await redis.set(keyOf(prefix, part, `answers:${id}`), "abandoned", "PX", 20_000);
}

function keyOf(prefix: string, part: string, rest: string): string {
  return `${prefix}:{${part}}:${rest}`;
}

function partOf({ address }: EventToJudge): string {
  return TAGS[hash(address) % TAGS.length] ?? "";
}

function limitsOf(prefix: string): Limits {
  const limits = createRedisLimits({ redis, limits: LIMITS, health, prefix });
  onTestFinished(() => limits.close());
  return limits;
}
