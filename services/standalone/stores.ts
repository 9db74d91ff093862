import type { Logger } from "pino";
import type { Shutdown } from "#libs/http/index.ts";
import {
  createMemoryLimits,
  createRedisLimits,
  type Limits,
  type TrackingLimits,
} from "#libs/limits/index.ts";
import { createMemoryPlacements, createRedisPlacements, type Placements } from "#libs/placements/index.ts";
import { openRedis } from "#libs/redis/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** For how long a visitor who sees or clicks an ad again is a duplicate. */
const WINDOWS = { impressionWindowMs: 10_000, clickWindowMs: 2_000 };

/** Opens what serving keeps outside the database: in Redis where one is named, else in this process. */
export async function openStores(
  configuration: Configuration,
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ limits: Limits; placements: Placements }> {
  const { impressionsPerMinute, clicksPerMinute, redisUrl: url } = configuration;
  const limits: TrackingLimits = { impressionsPerMinute, clicksPerMinute, ...WINDOWS };
  const stores =
    url === undefined
      ? {
          limits: createMemoryLimits({ limits, saltFile: folder.salt }),
          placements: createMemoryPlacements(),
        }
      : await openInRedis(url, limits, logger, shutdown);
  shutdown.onRelease("the limits", () => stores.limits.close());
  shutdown.onRelease("the placements", () => stores.placements.close());
  return stores;
}

async function openInRedis(url: string, limits: TrackingLimits, logger: Logger, shutdown: Shutdown) {
  const onWarning = (message: string, error?: unknown) => logger.warn({ err: error }, message);
  const redis = await openRedis({ url, name: "placard", onWarning });
  shutdown.onRelease("Redis", () => redis.disconnect());
  return {
    limits: createRedisLimits({
      redis,
      limits,
      // Redis has told already that it is away.
      onAlone: (error) => logger.debug({ err: error }, "a budget was counted by this process alone"),
    }),
    placements: await createRedisPlacements({ redis, onWarning }),
  };
}
