import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import { createRedisLimits, type Limits, type TrackingLimits } from "#libs/limits/index.ts";
import { createRedisPlacements, type Placements } from "#libs/placements/index.ts";
import { StartError } from "#libs/process/index.ts";
import { openRedis, type RedisClient, RedisHealth } from "#libs/redis/index.ts";
import { readCertificate } from "./pem.ts";

/** A repeated view or click of a visitor within this time is a duplicate. */
const WINDOWS = { impressionWindowMs: 10_000, clickWindowMs: 2_000 };

/** The limits of tracking. */
export function trackingLimits(settings: {
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
}): TrackingLimits {
  const { impressionsPerMinute, clicksPerMinute } = settings;
  return { impressionsPerMinute, clicksPerMinute, ...WINDOWS };
}

/** What visitors wait for Redis at most, in milliseconds. */
export const VISITORS_WAIT_MS = 250;

/** The stores that all processes of an installation share in Redis, and their connection. */
export interface SharedStores {
  readonly redis: RedisClient;
  readonly limits: Limits;
  readonly placements: Placements;
}

/** The settings of Redis. */
export interface RedisSettings {
  readonly redisUrl: string;
  readonly redisCaFile: string | undefined;
  /** How long callers wait for an answer of Redis, in milliseconds. Default 2,000. */
  readonly answersWithinMs?: number;
}

/**
 * Opens the stores in Redis, which need not respond yet. Throws `StartError` for a `redisCaFile` that cannot be read, or that
 * comes with a `redisUrl` without TLS.
 */
export async function openSharedStores(
  { redisUrl: url, redisCaFile, answersWithinMs = 2_000 }: RedisSettings,
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
  const health = new RedisHealth({ redis, withinMs: answersWithinMs });
  shutdown.onRelease("probes of Redis", () => health.close());
  const shared = createRedisLimits({
    redis,
    limits,
    health,
    // The connection has logged already that Redis is unavailable.
    onAlone: (error) =>
      logger.debug({ err: error }, "Redis does not answer: this process alone counts a caller's limit"),
  });
  shutdown.onRelease("the limits", () => shared.close());
  const placements = await createRedisPlacements({ redis, health, onWarning });
  shutdown.onRelease("the placements", () => placements.close());
  return { redis, limits: shared, placements };
}
