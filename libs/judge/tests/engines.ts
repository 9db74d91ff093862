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
  const redis = await connect(process.env.REDIS_TEST_URL, expect.fail);
  if (!(redis instanceof Redis)) throw new Error("REDIS_TEST_URL is a cluster.");
  return withHealth(redis);
}

/** The cluster of `infra/native`, until the file's tests are over. */
export async function openTestCluster(): Promise<TestRedis<Cluster>> {
  const redis = await connect(process.env.REDIS_CLUSTER_TEST_URL, expect.fail);
  if (!(redis instanceof Cluster)) throw new Error("REDIS_CLUSTER_TEST_URL is no cluster.");
  return withHealth(redis);
}

/** A connection until the file's tests are over. */
export async function connect(url = "", onWarning: (message: string) => void): Promise<RedisClient> {
  const redis = await openRedis({ url, name: "test", onWarning });
  afterAll(() => redis.disconnect());
  return redis;
}

function withHealth<Client extends RedisClient>(redis: Client): TestRedis<Client> {
  return { redis, health: new RedisHealth({ redis, withinMs: 20_000 }) };
}
