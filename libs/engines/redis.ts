import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import { createRedisJudge, type Judge } from "#libs/judge/index.ts";
import { createRedisLimits, type Limits } from "#libs/limits/index.ts";
import { createRedisPlacements, type Placements } from "#libs/placements/index.ts";
import { StartError } from "#libs/process/index.ts";
import { openRedis, type RedisClient, RedisHealth } from "#libs/redis/index.ts";
import { readCertificate } from "./pem.ts";

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

/** Ingestion waits longer for Redis than anybody who waits for an answer, in milliseconds. */
const JUDGED_WITHIN_MS = 10_000;

/**
 * Opens a connection to Redis, which need not respond yet. Throws `StartError` for a `redisCaFile` that cannot be read, or that
 * comes with a `redisUrl` without TLS.
 */
async function connect(
  { redisUrl: url, redisCaFile }: RedisSettings,
  logger: Logger,
  shutdown: Shutdown,
): Promise<RedisClient> {
  const onWarning = (message: string, error?: unknown) => logger.warn({ err: error }, message);
  if (redisCaFile !== undefined && !url.startsWith("rediss:")) {
    throw new StartError("REDIS_CA_FILE needs a REDIS_URL that begins with rediss://.");
  }
  const authority = redisCaFile === undefined ? {} : { ca: readCertificate("REDIS_CA_FILE", redisCaFile) };
  const redis = await openRedis({ url, ...authority, name: "placard", onWarning });
  shutdown.onRelease("Redis", () => redis.disconnect());
  return redis;
}

/** Opens the judge that all readers of the log share, on a connection of its own. Throws as `openSharedStores` does. */
export async function openSharedJudge(
  settings: RedisSettings,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly redis: RedisClient; readonly judge: Judge }> {
  const redis = await connect(settings, logger, shutdown);
  const health = new RedisHealth({ redis, withinMs: JUDGED_WITHIN_MS });
  shutdown.onRelease("probes of the judge's Redis", () => health.close());
  return { redis, judge: createRedisJudge({ redis, health }) };
}

/** Opens the stores in Redis. Throws as `connect` does. */
export async function openSharedStores(
  settings: RedisSettings,
  logger: Logger,
  shutdown: Shutdown,
): Promise<SharedStores> {
  const { answersWithinMs = 2_000 } = settings;
  const onWarning = (message: string, error?: unknown) => logger.warn({ err: error }, message);
  const redis = await connect(settings, logger, shutdown);
  const health = new RedisHealth({ redis, withinMs: answersWithinMs });
  shutdown.onRelease("probes of Redis", () => health.close());
  const shared = createRedisLimits({
    redis,
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
