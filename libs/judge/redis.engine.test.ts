import { randomUUID } from "node:crypto";
import { Cluster } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { RedisHealth } from "#libs/redis/index.ts";
import { aPassingEngine } from "../../infra/native/private-engine.ts";
import { redisRecipe } from "../../infra/native/recipes.ts";
import { describeJudge } from "./judge-suite.ts";
import { JudgeError } from "./port.ts";
import { createRedisJudge } from "./redis.ts";
import { anEvent, aRange, judgementsOf, NOON } from "./suite/events.ts";
import { connect, openTestCluster, openTestRedis } from "./tests/engines.ts";

const single = await openTestRedis();
const cluster = await openTestCluster();

describeJudge("redis", () => createRedisJudge({ ...single, prefix: randomUUID() }), 40);
describeJudge("redis cluster", () => createRedisJudge({ ...cluster, prefix: randomUUID() }), 20);

it.each([
  ["one Redis", single],
  ["a cluster", cluster],
])(
  "gives two processes on %s the same judgements of a list, and sees each other's events",
  async (_, redis) => {
    const prefix = randomUUID();
    const [here, there] = [createRedisJudge({ ...redis, prefix }), createRedisJudge({ ...redis, prefix })];
    const events = Array.from({ length: 1_300 }, (_unused, n) =>
      anEvent({ visitor: `v${n % 900}`, address: `a${n % 100}`, limit: 12 }),
    );

    const [first, again] = await Promise.all([here.judge(events, aRange(1)), there.judge(events, aRange(1))]);
    const other = await there.judge(events.slice(0, 900), aRange(2));

    expect(again).toEqual(first);
    expect(first.filter((one) => one === "limited")).toHaveLength(100);
    expect(first.filter((one) => one === "fresh")).toHaveLength(900);
    expect(other).not.toContain("fresh");
  },
);

it.each([
  { name: "one Redis", redis: single, most: 2 },
  { name: "a cluster", redis: cluster, most: 2 * 24 },
])("keeps the answers about an origin's last range alone, on $name", async ({ redis, most }) => {
  const prefix = randomUUID();
  const judge = createRedisJudge({ ...redis, prefix });

  for (let first = 0; first < 40; first += 1) {
    const visits = Array.from({ length: 60 }, (_, n) => ({
      visitor: `v${first}.${n}`,
      address: `a${n}`,
      limit: 9,
    }));
    await judge.judge(visits.map(anEvent), aRange(first));
  }

  const nodes = redis.redis instanceof Cluster ? redis.redis.nodes("master") : [redis.redis];
  const keys = await Promise.all(nodes.map((node) => node.keys(`${prefix}:*:answers:*`)));
  expect(keys.flat().length).toBeGreaterThan(0);
  expect(keys.flat().length).toBeLessThanOrEqual(most);
});

it("keeps marks three minutes longer than events are late or early, of named visitors eight at most, and answers for a day", async () => {
  const prefix = randomUUID();
  const judge = createRedisJudge({ ...single, prefix });

  await judgementsOf(judge, [
    { limit: 3 },
    { visitor: "late", lateMs: 3_600_000, occurredAt: NOON - 3_600_000, limit: 3 },
    { visitor: "private", isPrivate: true, lateMs: 3_600_000, occurredAt: NOON - 3_600_000 },
    { visitor: "early", lateMs: -240_000 },
  ]);

  const keys = await single.redis.keys(`${prefix}:*`);
  const lives = await Promise.all(keys.map((key) => single.redis.pttl(key)));
  const rounded = lives.map((ms) => Math.ceil(ms / 60_000)).sort((a, b) => a - b);
  expect(rounded).toEqual(
    [4, 4, 7, 8, 8, 63, 63, 1440, 1440].map((minutes) => (minutes === 4 ? expect.any(Number) : minutes)),
  );
  expect(
    Math.max(
      ...lives
        .slice()
        .sort((a, b) => a - b)
        .slice(0, 2),
    ),
  ).toBeGreaterThan(170_000);
});

it("remembers what it said of a flood of duplicates in few bytes, as it is kept for a day", async () => {
  const prefix = randomUUID();
  const judge = createRedisJudge({ ...single, prefix });

  const judgements = await judge.judge(
    Array.from({ length: 500 }, () => anEvent({ limit: 400 })),
    aRange(1),
  );

  const keys = await single.redis.keys(`${prefix}:*`);
  const texts = (await single.redis.mget(keys)).map((text) => text?.length ?? 0);
  expect(judgements.filter((one) => one === "fresh")).toHaveLength(1);
  expect(Math.max(...texts)).toBeLessThan(150);
});

it("rejects while Redis is away, and gives what was judged before and the rest once it is back", async () => {
  const engine = await aPassingEngine(redisRecipe);
  onTestFinished(() => engine.remove());
  await engine.program.start();
  const redis = await connect(engine.address.url, () => undefined);
  const health = new RedisHealth({ redis, withinMs: 2_000 });
  onTestFinished(() => health.close());
  const judge = createRedisJudge({ redis, health });
  const events = [anEvent(), anEvent()];
  const before = await judge.judge(events, aRange(1));
  await redis.save();
  await engine.program.kill();

  await expect(judge.judge(events, aRange(2))).rejects.toThrow(JudgeError);

  await engine.program.start();
  await expect.poll(() => judge.judge(events, aRange(1)).catch(() => null)).toEqual(before);
  expect(await judge.judge([anEvent()], aRange(2))).toEqual(["duplicate"]);
});
