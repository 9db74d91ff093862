import { join } from "node:path";
import { databaseSettings, processEnvironment, readConfig, storageSettings } from "#libs/config/index.ts";
import { type Database, openDatabase } from "#libs/database/connection.ts";
import { findRunningPostgres } from "#libs/database/embedded/running.ts";

const { databaseUrl, dataDir } = storageSettings;
const { databaseCaFile } = databaseSettings;

/** One sentence for the operator: what is wrong, or what to do first. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * Lets a command finish its work if its output cannot be written. A reader that ends early (`| head`) is no failure; any other
 * error, such as a full disk, is one sentence on standard error and exit code 1.
 */
export function finishWithoutOutput(): void {
  let isReported = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isReported) return;
    isReported = true;
    process.stderr.write(`The output could not be written: ${error.message}.\n`);
    process.exitCode = 1;
  });
}

/** Runs a command with the words typed after it. A failure is one sentence on standard error and exit code 1. */
export async function runCommandLine(run: (given: readonly string[]) => Promise<void>): Promise<void> {
  finishWithoutOutput();
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Calls `act` with the installation's database: that of `DATABASE_URL`, or the embedded one in `DATA_DIR`, which runs only while
 * the product does. Throws `CommandError` if there is none, `DatabaseError` if it does not answer.
 */
export async function withInstallation<T>(
  applicationName: string,
  act: (database: Database) => Promise<T>,
): Promise<T> {
  const settings = readConfig({ databaseUrl, dataDir, databaseCaFile }, processEnvironment());
  const url = settings.databaseUrl ?? (await findRunningPostgres(join(settings.dataDir, "postgres")));
  if (url === null) {
    throw new CommandError(
      `The product is not running in the folder ${settings.dataDir}: start it first, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const database = openDatabase({
    url,
    maxConnections: 2,
    applicationName,
    ...(settings.databaseCaFile === undefined ? {} : { caFile: settings.databaseCaFile }),
  });
  try {
    await database.ping();
    return await act(database);
  } finally {
    await database.close();
  }
}
