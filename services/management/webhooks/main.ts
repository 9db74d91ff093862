import { join } from "node:path";
import { processEnvironment, readConfig, storageSettings } from "#libs/config/index.ts";
import { type Database, findRunningPostgres, openDatabase } from "#libs/database/index.ts";
import { CommandError, type Commands, createCommands } from "./commands.ts";

const { databaseUrl, dataDir } = storageSettings;

const USAGE = "Use: npm run webhooks -- list | retry [event id ...] | reconcile";

/** Runs one of the operator's commands on the database that the product uses, and says what came of it. */
async function main([command, ...ids]: readonly string[]): Promise<void> {
  if (!isCommand(command) || (command !== "retry" && ids.length > 0)) throw new CommandError(USAGE);
  const database = await openInstallation();
  try {
    await database.ping();
    const lines = await createCommands(database.db)[command](ids);
    process.stdout.write(`${lines.join("\n")}\n`);
  } finally {
    await database.close();
  }
}

function isCommand(command: string | undefined): command is keyof Commands {
  return command === "list" || command === "retry" || command === "reconcile";
}

/** The database given, or the embedded one, which only runs while the product does. */
async function openInstallation(): Promise<Database> {
  const settings = readConfig({ databaseUrl, dataDir }, processEnvironment());
  const url = settings.databaseUrl ?? (await findRunningPostgres(join(settings.dataDir, "postgres")));
  if (url === null) {
    throw new CommandError(
      `No product runs on the folder ${settings.dataDir}: start it first, or say where it is with DATA_DIR or DATABASE_URL.`,
    );
  }
  return openDatabase({ url, maxConnections: 2, applicationName: "placard-webhooks" });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
