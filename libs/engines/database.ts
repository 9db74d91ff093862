import type { Logger } from "pino";
import { type Database, isMigrated, openDatabase } from "#libs/database/index.ts";
import type { Shutdown } from "#libs/http/index.ts";
import { eventually } from "./eventually.ts";

export interface DatabaseSettings {
  readonly databasePoolSize: number | undefined;
  readonly databaseStatementSeconds: number;
  readonly databaseCaFile: string | undefined;
}

/**
 * Connections to the Postgres at `url`, made when they are needed. Throws `DatabaseError` for a URL or a certificate that
 * cannot be used; whether the server is there is for the caller to ask.
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
 * Waits until management, or `npm run migrate`, has brought the schema to what this program reads. A database that is away
 * is not waited for: there are things to do without it.
 */
export async function untilMigrated(database: Database, logger: Logger, shutdown: Shutdown): Promise<void> {
  const migratedOrAway = async () => {
    try {
      return await isMigrated(database);
    } catch (error) {
      logger.warn({ err: error }, "the database is away; its schema was not looked at");
      return true;
    }
  };
  await eventually(
    migratedOrAway,
    "the schema of the database: start management, or npm run migrate",
    logger,
    shutdown,
  );
}
