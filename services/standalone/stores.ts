import type { Logger } from "pino";
import { openSharedStores, trackingLimits } from "#libs/engines/index.ts";
import type { Shutdown } from "#libs/http/index.ts";
import { createMemoryLimits, type Limits } from "#libs/limits/index.ts";
import { createMemoryPlacements, type Placements } from "#libs/placements/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** Opens what serving keeps outside the database: in Redis where one is named, else in this process. */
export async function openStores(
  configuration: Configuration,
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ limits: Limits; placements: Placements }> {
  const limits = trackingLimits(configuration);
  const { redisUrl, redisCaFile } = configuration;
  if (redisUrl !== undefined) {
    return await openSharedStores({ redisUrl, redisCaFile }, limits, logger, shutdown);
  }
  const inMemory = createMemoryLimits({ limits, saltFile: folder.salt });
  shutdown.onRelease("the limits", () => inMemory.close());
  const placements = createMemoryPlacements();
  shutdown.onRelease("the placements", () => placements.close());
  return { limits: inMemory, placements };
}
