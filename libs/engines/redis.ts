import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/http/index.ts";
import { createRedisLimits, type Limits, type TrackingLimits } from "#libs/limits/index.ts";
import { createRedisPlacements, type Placements } from "#libs/placements/index.ts";
import { StartError } from "#libs/process/index.ts";
import { openRedis } from "#libs/redis/index.ts";
import { readCertificate } from "./pem.ts";

/** For how long a visitor who sees or clicks an ad again is a duplicate. */
const WINDOWS = { impressionWindowMs: 10_000, clickWindowMs: 2_000 };

/** What tracking lets through and counts. */
export function trackingLimits(settings: {
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
}): TrackingLimits {
  const { impressionsPerMinute, clicksPerMinute } = settings;
  return { impressionsPerMinute, clicksPerMinute, ...WINDOWS };
}

/** What all processes of an installation share in Redis, and the connection that it is on. */
export interface SharedStores {
  readonly redis: Redis;
  readonly limits: Limits;
  readonly placements: Placements;
}

/** How Redis is reached. */
export interface RedisSettings {
  readonly redisUrl: string;
  readonly redisCaFile: string | undefined;
}

/**
 * Opens the stores in Redis, which need not be there yet. Throws `StartError` for a `redisCaFile` that cannot be read or
 * that `redisUrl` has no use for.
 */
export async function openSharedStores(
  { redisUrl: url, redisCaFile }: RedisSettings,
  limits: TrackingLimits,
  logger: Logger,
  shutdown: Shutdown,
): Promise<SharedStores> {
  const onWarning = (message: string, error?: unknown) => logger.warn({ err: error }, message);
  if (redisCaFile !== undefined && !url.startsWith("rediss:")) {
    throw new StartError("REDIS_CA_FILE needs a REDIS_URL that begins with rediss://.");
  }
  const authority = redisCaFile === undefined ? {} : { ca: readCertificate("REDIS_CA_FILE", redisCaFile) };
  const redis = await openRedis({ url, ...authority, name: "placard", onWarning });
  shutdown.onRelease("Redis", () => redis.disconnect());
  const shared = createRedisLimits({
    redis,
    limits,
    // Redis has told already that it is away.
    onAlone: (error) => logger.debug({ err: error }, "a budget was counted by this process alone"),
  });
  shutdown.onRelease("the limits", () => shared.close());
  const placements = await createRedisPlacements({ redis, onWarning });
  shutdown.onRelease("the placements", () => placements.close());
  return { redis, limits: shared, placements };
}
