import type { Logger } from "pino";
import { type Database, migrate, startEmbeddedPostgres } from "#libs/database/index.ts";
import { clickhouseAccess, openPostgres, openStats, reportBrokenParts } from "#libs/engines/index.ts";
import type { Shutdown } from "#libs/http/index.ts";
import { using } from "#libs/process/index.ts";
import { type StatsStore, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** Enough for requests, for the jobs, and for what the jobs are woken by. None is held while the processor is asked. */
const CONNECTIONS = 20;
/** Merges take all the processor there is for tenths of a second; visitors who wait for ads come first. */
const CLICKHOUSE_NICENESS = 10;

/** Postgres, given or embedded, with the schema in place. */
export async function startDatabase(
  configuration: Configuration,
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Database> {
  let url = configuration.databaseUrl;
  if (url === undefined) {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.postgres, logger });
    shutdown.onRelease("Postgres", () => postgres.close(), 6_000);
    url = postgres.url;
  }
  const database = openPostgres(
    url,
    { ...configuration, usualPoolSize: CONNECTIONS, name: "placard" },
    logger,
    shutdown,
  );
  await database.ping();
  await migrate(database);
  return database;
}

/** ClickHouse, given or embedded, with the schema in place. */
export async function startStats(
  configuration: Configuration,
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): Promise<StatsStore> {
  const { clickhouseUrl } = configuration;
  const access =
    clickhouseUrl === undefined
      ? await startOwnClickHouse(folder, logger, shutdown)
      : clickhouseAccess({ ...configuration, clickhouseUrl });
  const stats = openStats(access, configuration, shutdown);
  await using(`ClickHouse at ${new URL(access.url).origin}`, async () => {
    await stats.migrate();
    await reportBrokenParts(stats, logger);
  });
  return stats;
}

async function startOwnClickHouse(folder: DataFolder, logger: Logger, shutdown: Shutdown) {
  const clickhouse = await using(`ClickHouse in ${folder.clickhouse}`, () =>
    startEmbeddedClickHouse({ dataDir: folder.clickhouse, niceness: CLICKHOUSE_NICENESS, logger }),
  );
  shutdown.onRelease("ClickHouse", () => clickhouse.close(), 6_000);
  return clickhouse;
}
