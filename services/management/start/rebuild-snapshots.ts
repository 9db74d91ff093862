import {
  databaseSettings,
  neededDatabaseUrl,
  neededRedisUrl,
  processSettings,
  readConfig,
  storageSettings,
} from "#libs/config/index.ts";
import { openPostgres, openSharedStores } from "#libs/engines/index.ts";
import { createSnapshotSource, rebuildSnapshots } from "#libs/placements/index.ts";
import { runCommand, using } from "#libs/process/index.ts";

/** For snapshots that are loaded at the same time, and one to list workspaces. */
const CONNECTIONS = 5;

/** Writes the snapshot of every workspace into Redis, for example after Redis was emptied. */
await runCommand({
  name: "The rebuilding of snapshots",
  readConfiguration: (environment) =>
    readConfig(
      {
        databaseUrl: neededDatabaseUrl,
        ...databaseSettings,
        redisUrl: neededRedisUrl,
        redisCaFile: storageSettings.redisCaFile,
        logLevel: processSettings.logLevel,
      },
      environment,
    ),
  async run(configuration, logger, shutdown) {
    const { db } = openPostgres(
      configuration.databaseUrl,
      { ...configuration, usualPoolSize: CONNECTIONS, name: "placard snapshots" },
      logger,
      shutdown,
    );
    const { placements } = await openSharedStores(configuration, logger, shutdown);
    const source = createSnapshotSource(db);
    const written = await using("Redis or Postgres", () =>
      rebuildSnapshots({ source, placements, which: "all" }),
    );
    return `${written} ${written === 1 ? "snapshot is" : "snapshots are"} in Redis.`;
  },
});
