import { afterAll, beforeAll, expect } from "vitest";
import { openRedis, type RedisClient } from "#libs/redis/index.ts";
import { testRedisPlacements } from "./placements-suite.ts";

const REDIS_URL = process.env.REDIS_CLUSTER_TEST_URL ?? "";
const unexpected = (message: string) => expect.fail(message);

let redis: RedisClient;
beforeAll(async () => {
  redis = await openRedis({ url: REDIS_URL, name: "test", onWarning: unexpected });
});
afterAll(() => redis.disconnect());

testRedisPlacements("placements in a Redis Cluster", () => redis);
