import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import { type Database, openDatabase } from "#libs/database/connection.ts";
import { isMigrated } from "#libs/database/migration-files.ts";
import { commandLine } from "#libs/process/index.ts";
import { eventually } from "./eventually.ts";

export interface DatabaseSettings {
  readonly databasePoolSize: number | undefined;
  readonly databaseStatementSeconds: number;
  readonly databaseCaFile: string | undefined;
}

/**
 * A pool of connections to the Postgres at `url`, opened on demand. Throws `DatabaseError` for an invalid URL or certificate.
 * It does not check that the server responds.
 */
export function openPostgres(
  url: string,
  settings: DatabaseSettings & { readonly usualPoolSize: number; readonly name: string },
  logger: Logger,
  shutdown: Shutdown,
): Database {
  const database = openDatabase({
    url,
    maxConnections: settings.databasePoolSize ?? settings.usualPoolSize,
    statementTimeoutMs: settings.databaseStatementSeconds * 1000,
    applicationName: settings.name,
    ...(settings.databaseCaFile === undefined ? {} : { caFile: settings.databaseCaFile }),
    logger,
  });
  shutdown.onRelease("the database connections", () => database.close());
  return database;
}

/**
 * Waits until management, or `npm run operate:migrate`, has migrated the schema to this program's version. Does not wait
 * for a database that is unavailable: serving works without it.
 */
export async function untilMigrated(database: Database, logger: Logger, shutdown: Shutdown): Promise<void> {
  const migratedOrAway = async () => {
    try {
      return await isMigrated(database);
    } catch (error) {
      logger.warn({ err: error }, "the database is unavailable; its schema was not checked");
      return true;
    }
  };
  await eventually(
    migratedOrAway,
    `the schema of the database: start management, or ${commandLine("operate:migrate")}`,
    logger,
    shutdown,
  );
}
