import type { Logger } from "pino";
import { type Database, migrate, openDatabase, startEmbeddedPostgres } from "#libs/database/index.ts";
import type { Shutdown } from "#libs/http/index.ts";
import { createStatsStore, type StatsStore, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";
import { using } from "./start-error.ts";

/** Enough for requests, for the jobs, and for what the jobs are woken by. None is held while the processor is asked. */
const CONNECTIONS = 20;

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
  const database = openDatabase({ url, maxConnections: CONNECTIONS, logger });
  shutdown.onRelease("the database connections", () => database.close());
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
  const { clickhouseUrl, eventRetentionDays } = configuration;
  let access = {
    url: clickhouseUrl ?? "",
    username: configuration.clickhouseUser,
    password: configuration.clickhousePassword,
  };
  if (clickhouseUrl === undefined) {
    const clickhouse = await using(`ClickHouse in ${folder.clickhouse}`, () =>
      startEmbeddedClickHouse({ dataDir: folder.clickhouse, logger }),
    );
    shutdown.onRelease("ClickHouse", () => clickhouse.close(), 6_000);
    access = clickhouse;
  }
  const { url, username, password } = access;
  const stats = createStatsStore({
    url,
    username,
    password,
    database: configuration.clickhouseDatabase,
    eventRetentionDays,
  });
  shutdown.onRelease("the stats store", () => stats.close());
  await using(`ClickHouse at ${new URL(url).origin}`, () => stats.migrate());
  return stats;
}
