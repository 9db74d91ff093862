import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openRedis } from "#libs/redis/index.ts";
import { aPassingEngine } from "../../infra/native/private-engine.ts";
import { redisRecipe } from "../../infra/native/recipes.ts";
import { testRedisPlacements } from "./placements-suite.ts";
import { emptySnapshot } from "./port.ts";
import { createRedisPlacements } from "./redis.ts";

const REDIS_URL = process.env.REDIS_TEST_URL ?? "";
const EMPTY = emptySnapshot("ws_a", 1);
const unexpected = (message: string) => expect.fail(message);

let redis: Redis;
beforeAll(async () => {
  const opened = await openRedis({ url: REDIS_URL, name: "test", onWarning: unexpected });
  if (!(opened instanceof Redis)) throw new Error("REDIS_TEST_URL is a cluster.");
  redis = opened;
});
afterAll(() => redis.disconnect());

testRedisPlacements("placements in Redis", () => redis);

describe("placements in Redis", () => {
  it("take what they cannot read for nothing, and say so", async () => {
    const prefix = randomUUID();
    const warnings: string[] = [];
    const placements = await createRedisPlacements({
      redis,
      prefix,
      onWarning: (message) => warnings.push(message),
    });
    await redis.hset(`${prefix}:placement:{ws_a}`, { version: 1, snapshot: "{" });

    const read = await placements.read("ws_a");
    await redis.publish(`${prefix}:placements`, "nonsense");

    expect(read).toBeNull();
    await vi.waitFor(
      () =>
        expect(warnings).toEqual([
          "The stored snapshot of ws_a cannot be read.",
          "A message about a snapshot cannot be read.",
        ]),
      20_000,
    );
    await placements.close();
  });

  it("miss what a release wrote that knew no addresses for clicks, so that it is loaded again", async () => {
    const prefix = randomUUID();
    const placements = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
    const before = { ...EMPTY, ads: [{ id: "ad_a", name: "Northwind Coffee" }] };
    await redis.hset(`${prefix}:placement:{ws_a}`, { version: 1, snapshot: JSON.stringify(before) });

    const read = await placements.read("ws_a");

    expect(read).toBeNull();
    await placements.close();
  });

  it.each([
    ["tracking keys", "trackingKeys"],
    ["proofs", "requireProof"],
    ["pages", "recordPages"],
    ["visitors", "countVisitors"],
    ["owners", "owner"],
  ])("miss what a release wrote that knew no %s, so that it is loaded again", async (_what, field) => {
    const prefix = randomUUID();
    const placements = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
    const before = { ...EMPTY, [field]: undefined };
    await redis.hset(`${prefix}:placement:{ws_a}`, { version: 1, snapshot: JSON.stringify(before) });

    const read = await placements.read("ws_a");

    expect(read).toBeNull();
    await placements.close();
  });

  it("leave half of the server's memory to limits, keep the version of what has no room there, and take the next that has", async () => {
    const engine = await aPassingEngine(redisRecipe);
    onTestFinished(() => engine.remove());
    await engine.program.start();
    const own = await openRedis({ url: engine.address.url, name: "test", onWarning: unexpected });
    onTestFinished(() => own.disconnect());
    const placements = await createRedisPlacements({ redis: own, onWarning: unexpected });
    onTestFinished(() => placements.close());
    await own.config("SET", "maxmemory", "32mb");
    const tier = { id: "tier_a", name: "Gold", weight: 1, order: 0, features: [], prices: [] };
    const large = { ...EMPTY, tiers: [{ ...tier, description: "x".repeat(6 * 1024 * 1024) }] };
    const ids = ["ws_b", "ws_c", "ws_d", "ws_e", "ws_f"];

    for (const workspaceId of ids) expect(await placements.publish({ ...large, workspaceId })).toBe(true);

    const read = await Promise.all(ids.map((id) => placements.read(id)));
    expect(read.at(0)?.workspaceId).toBe("ws_b");
    expect(read.at(-1)).toBeNull();
    expect((await placements.versions(ids)).size).toBe(ids.length);
    for (const workspaceId of ids) await placements.publish({ ...EMPTY, workspaceId, version: 2 });
    await placements.publish({ ...large, workspaceId: "ws_f", version: 3 });
    expect((await placements.read("ws_f"))?.version).toBe(3);
  });

  it("hear again once a lost connection is back", async () => {
    const prefix = randomUUID();
    const heard: number[] = [];
    const placements = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
    placements.subscribe((_workspaceId, version) => heard.push(version));

    await redis.call("CLIENT", "KILL", "TYPE", "pubsub");
    await vi.waitFor(async () => {
      await placements.publish({ ...EMPTY, version: heard.length + 1 });
      expect(heard.length).toBeGreaterThan(0);
    }, 20_000);

    await placements.close();
  });
});
