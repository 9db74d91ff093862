import type { Redis } from "ioredis";

/** The salts that visitors are hashed with now, of whatever days. */
export async function readSalts(redis: Redis): Promise<string[]> {
  const keys = await redis.keys("*:salt:*");
  const salts = await Promise.all(keys.map((key) => redis.get(key)));
  return salts.filter((salt) => salt !== null);
}
