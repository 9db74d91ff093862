import { Cluster, Redis } from "ioredis";
import { afterAll, expect } from "vitest";
import { openRedis, type RedisClient, RedisHealth } from "#libs/redis/index.ts";

/** An engine that all tests of a file use. */
export interface TestRedis<Client extends RedisClient> {
  readonly redis: Client;
  /** Patient, for a busy machine. */
  readonly health: RedisHealth;
}

/** The server of `infra/native`, until the file's tests are over. */
export async function openTestRedis(): Promise<TestRedis<Redis>> {
  const redis = await connect(process.env.REDIS_TEST_URL);
  if (!(redis instanceof Redis)) throw new Error("REDIS_TEST_URL is a cluster.");
  return withHealth(redis);
}

/** The cluster of `infra/native`, until the file's tests are over. */
export async function openTestCluster(): Promise<TestRedis<Cluster>> {
  const redis = await connect(process.env.REDIS_CLUSTER_TEST_URL);
  if (!(redis instanceof Cluster)) throw new Error("REDIS_CLUSTER_TEST_URL is no cluster.");
  return withHealth(redis);
}

async function connect(url = ""): Promise<RedisClient> {
  const redis = await openRedis({ url, name: "test", onWarning: (message) => expect.fail(message) });
  afterAll(() => redis.disconnect());
  // Each of the many limits in a file listens to it.
  redis.setMaxListeners(0);
  return redis;
}

function withHealth<Client extends RedisClient>(redis: Client): TestRedis<Client> {
  return { redis, health: new RedisHealth({ redis, withinMs: 20_000 }) };
}
