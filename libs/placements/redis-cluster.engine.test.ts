import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { openRedis, type RedisClient } from "#libs/redis/index.ts";
import { testPlacements } from "./placements-suite.ts";
import { createRedisPlacements } from "./redis.ts";

const REDIS_URL = process.env.REDIS_CLUSTER_TEST_URL ?? "";
const unexpected = (message: string) => expect.fail(message);

let redis: RedisClient;
beforeAll(async () => {
  redis = await openRedis({ url: REDIS_URL, name: "test", onWarning: unexpected });
});
afterAll(() => redis.disconnect());

testPlacements("placements in a Redis Cluster", async () => {
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
