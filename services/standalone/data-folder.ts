import { accessSync, constants, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { lockFolder } from "#libs/database/index.ts";
import { StartError } from "#libs/process/index.ts";

/** The folder that holds everything of an installation on one machine, held by this process alone. */
export interface DataFolder {
  readonly postgres: string;
  readonly clickhouse: string;
  readonly eventLog: string;
  readonly secrets: string;
  readonly salt: string;
  readonly sandbox: string;
  readonly uploads: string;
  readonly outbox: string;
  release(): void;
}

/** Makes and takes the folder. Throws `StartError` when it cannot be written to or another process has it. */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path);
  const lock = takeFolder(folder);
  if (lock === null) {
    throw new StartError(
      `Another Placard is running on ${folder}; stop it, or give this one a DATA_DIR of its own.`,
    );
  }
  return {
    postgres: join(folder, "postgres"),
    clickhouse: join(folder, "clickhouse"),
    eventLog: join(folder, "events.db"),
    secrets: join(folder, "secrets.json"),
    salt: join(folder, "visitor-salt.json"),
    sandbox: join(folder, "sandbox.db"),
    uploads: join(folder, "uploads"),
    outbox: join(folder, "outbox"),
    release: () => lock.release(),
  };
}

function takeFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return lockFolder(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The folder ${folder} cannot be used (DATA_DIR): ${reason}.`, { cause: error });
  }
}
