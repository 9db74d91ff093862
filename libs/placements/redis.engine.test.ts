import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openRedis } from "#libs/redis/index.ts";
import { testPlacements } from "./placements-suite.ts";
import { NO_OWN_LIMITS } from "./port.ts";
import { createRedisPlacements } from "./redis.ts";

const REDIS_URL = process.env.REDIS_TEST_URL ?? "";
const EMPTY = {
  workspaceId: "ws_a",
  version: 1,
  ads: [],
  tiers: [],
  limits: NO_OWN_LIMITS,
  trackingKeys: [],
  requireProof: false,
};
const unexpected = (message: string) => expect.fail(message);

let redis: Redis;
beforeAll(async () => {
  const opened = await openRedis({ url: REDIS_URL, name: "test", onWarning: unexpected });
  if (!(opened instanceof Redis)) throw new Error("REDIS_TEST_URL is a cluster.");
  redis = opened;
});
afterAll(() => redis.disconnect());

testPlacements("placements in Redis", async () => {
  const prefix = randomUUID();
  const placements = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
  const elsewhere = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
  return {
    placements,
    elsewhere,
    close: async () => {
      await placements.close();
      await elsewhere.close();
    },
  };
});

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
  ])("miss what a release wrote that knew no %s, so that it is loaded again", async (_what, field) => {
    const prefix = randomUUID();
    const placements = await createRedisPlacements({ redis, prefix, onWarning: unexpected });
    const before = { ...EMPTY, [field]: undefined };
    await redis.hset(`${prefix}:placement:{ws_a}`, { version: 1, snapshot: JSON.stringify(before) });

    const read = await placements.read("ws_a");

    expect(read).toBeNull();
    await placements.close();
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
