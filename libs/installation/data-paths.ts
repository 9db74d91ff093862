import { join, resolve } from "node:path";

/** The paths in the folder that holds everything of an installation on one machine. */
export interface DataPaths {
  readonly postgres: string;
  readonly clickhouse: string;
  readonly eventLog: string;
  readonly secrets: string;
  readonly salt: string;
  readonly sandbox: string;
  readonly uploads: string;
  readonly outbox: string;
  /** Deleted by a start on a full disk. */
  readonly reserve: string;
}

/** The paths below `DATA_DIR`, whether they exist or not. */
export function pathsBelow(path: string): DataPaths {
  const folder = resolve(path);
  return {
    postgres: join(folder, "postgres"),
    clickhouse: join(folder, "clickhouse"),
    eventLog: join(folder, "events.db"),
    secrets: join(folder, "secrets.json"),
    salt: join(folder, "visitor-salt.json"),
    sandbox: join(folder, "sandbox.db"),
    uploads: join(folder, "uploads"),
    outbox: join(folder, "outbox"),
    reserve: join(folder, "reserve"),
  };
}
