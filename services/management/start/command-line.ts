import { join } from "node:path";
import { databaseSettings, processEnvironment, readConfig, storageSettings } from "#libs/config/index.ts";
import { type Database, findRunningPostgres, openDatabase } from "#libs/database/index.ts";

const { databaseUrl, dataDir } = storageSettings;
const { databaseCaFile } = databaseSettings;

/** What an operator got wrong or has to do first, in one sentence. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * Lets a command finish what it has begun when its output is not taken. A reader who leaves early (`| head`) is no
 * failure; anything else, such as a full disk, is one sentence on standard error, and exit code 1.
 */
export function finishWithoutOutput(): void {
  let isSaid = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isSaid) return;
    isSaid = true;
    process.stderr.write(`The output could not be written: ${error.message}.\n`);
    process.exitCode = 1;
  });
}

/** Runs one command with what was typed behind it. A failure is one sentence on standard error, and exit code 1. */
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
 * Does something with the database of the installation: the one of `DATABASE_URL`, or the embedded one below `DATA_DIR`,
 * which only runs while the product does. Throws `CommandError` where there is none, `DatabaseError` where it does not answer.
 */
export async function withInstallation<T>(
  applicationName: string,
  act: (database: Database) => Promise<T>,
): Promise<T> {
  const settings = readConfig({ databaseUrl, dataDir, databaseCaFile }, processEnvironment());
  const url = settings.databaseUrl ?? (await findRunningPostgres(join(settings.dataDir, "postgres")));
  if (url === null) {
    throw new CommandError(
      `No product runs on the folder ${settings.dataDir}: start it first, or say where it is with DATA_DIR or DATABASE_URL.`,
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
