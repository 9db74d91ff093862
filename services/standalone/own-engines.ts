import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import { startEmbeddedPostgres } from "#libs/database/embedded/embedded.ts";
import { using } from "#libs/process/index.ts";
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** Merges use all of the processor for tenths of a second; visitors who wait for ads come first. */
const CLICKHOUSE_NICENESS = 10;

/** The embedded engines while they start. Each is null where the settings name another one in its place. */
export interface OwnEngines {
  readonly postgresUrl: Promise<string> | null;
  readonly clickhouse: Promise<EmbeddedClickHouse> | null;
}

/**
 * Starts the engines below the data folder and returns at once. Await both before a failed start ends: an engine can only be
 * stopped once it has started. Imports little, so that the engines start while the rest of the program is loaded.
 */
export function startOwnEngines(
  configuration: Pick<Configuration, "databaseUrl" | "clickhouseUrl">,
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): OwnEngines {
  const engines = {
    postgresUrl: configuration.databaseUrl === undefined ? startPostgres(folder, logger, shutdown) : null,
    clickhouse: configuration.clickhouseUrl === undefined ? startClickHouse(folder, logger, shutdown) : null,
  };
  // A failure before anybody awaits is not lost: whoever awaits gets it.
  for (const engine of Object.values(engines)) engine?.catch(() => undefined);
  return engines;
}

async function startPostgres(folder: DataFolder, logger: Logger, shutdown: Shutdown): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder.postgres, logger });
  shutdown.onRelease("Postgres", () => postgres.close(), 6_000);
  return postgres.url;
}

async function startClickHouse(
  folder: DataFolder,
  logger: Logger,
  shutdown: Shutdown,
): Promise<EmbeddedClickHouse> {
  const clickhouse = await using(`ClickHouse in ${folder.clickhouse}`, () =>
    startEmbeddedClickHouse({ dataDir: folder.clickhouse, niceness: CLICKHOUSE_NICENESS, logger }),
  );
  shutdown.onRelease("ClickHouse", () => clickhouse.close(), 6_000);
  return clickhouse;
}
