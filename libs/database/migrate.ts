import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import type { Database, DatabaseLogger } from "./connection.ts";
import { DatabaseError, reasonOf } from "./errors.ts";
import { applyMigrations, readMigrations } from "./migration-files.ts";

/** An advisory lock that nothing else in this database uses. */
const MIGRATION_LOCK = 7_063_041_187;
const LOCK_TIMEOUT_MS = 120_000;

export interface MigrateOptions {
  /** Where the numbered SQL files are. Default: `migrations` beside this file. */
  readonly folder?: URL | string;
  /** Accepts a database that a newer release has migrated, for a service that runs beside it. Otherwise such a database is refused. */
  readonly acceptNewer?: boolean;
  readonly logger?: DatabaseLogger;
}

/**
 * Migrates our schema and that of graphile-worker to this program's version; several processes may call it concurrently.
 * Throws `DatabaseError`: `UNREACHABLE`, or `MIGRATION_REFUSED` when an applied file was edited or is missing here.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<void> {
  const { logger } = options;
  const migrations = await readMigrations(options.folder);
  await database.ping();

  // Not the database's own pool: a long migration must not hit its statement timeout, nor use up its connections.
  const pool = new pg.Pool({
    ...database.pool.options,
    max: 2,
    statement_timeout: 0,
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  // A broken connection also fails its query, which reports the error.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    const client = await pool.connect();
    try {
      await takeLock(client);
      await applyMigrations(client, migrations, options);
      await migrateJobQueue(pool, logger);
      await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    } finally {
      // Not back into the pool: closing the connection also releases a lock that could not be released.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** graphile-worker refuses a schema newer than itself and sets the exit code, which we restore. */
async function migrateJobQueue(pool: pg.Pool, logger: DatabaseLogger | undefined): Promise<void> {
  const exitCode = process.exitCode;
  try {
    await runMigrations({ pgPool: pool, logger: workerLogger(logger) });
  } catch (error) {
    process.exitCode = exitCode;
    const message = `The tables of the job queue cannot be migrated: ${reasonOf(error)}`;
    throw new DatabaseError("MIGRATION_REFUSED", message, { cause: error });
  }
}

async function takeLock(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  } catch (error) {
    const message = `Another process has been migrating this database for ${LOCK_TIMEOUT_MS / 1000} seconds.`;
    throw new DatabaseError("MIGRATION_REFUSED", message, { cause: error });
  }
}

function workerLogger(logger: DatabaseLogger | undefined): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error" || level === "warning") logger?.warn(message);
    else logger?.debug(message);
  });
}
