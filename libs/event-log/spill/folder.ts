import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolderDurably } from "#libs/files/index.ts";
import { EventLogError } from "../errors.ts";
import type { SpillQueueName } from "../port.ts";

/** Processes that may use the spill's folder at the same time. */
const MAX_FOLDERS = 256;
const ENDING = ".spill";

/** One process's exclusive hold on a folder below the spill's, until it is released or the process ends. */
export interface FolderLease {
  readonly path: string;
  release(): void;
}

/** Takes the first free folder of `0`, `1` and so on. Throws `EventLogError` `UNAVAILABLE` when none can be used. */
export async function acquireLease(folder: string): Promise<FolderLease> {
  try {
    for (let number = 0; number < MAX_FOLDERS; number++) {
      const path = join(folder, String(number));
      await makeFolderDurably(path);
      const lease = lockFolder(path);
      if (lease !== null) return lease;
    }
  } catch (cause) {
    throw new EventLogError(
      "UNAVAILABLE",
      `The spill cannot use the folder ${folder}: ${messageOf(cause)}.`,
      {
        cause,
      },
    );
  }
  throw new EventLogError(
    "UNAVAILABLE",
    `${MAX_FOLDERS} processes already use the spill's folder ${folder}.`,
  );
}

/** The names of the spill files of a folder, oldest first. */
export function spillFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ENDING))
    .sort();
}

/** The queue in the name that `newFileName` gave the file. */
export function queueOf(file: string): SpillQueueName {
  return basename(file).startsWith("unclear-") ? "unclear" : "unsent";
}

/** A unique name, also across folders. Names of one queue sort by time. */
export function newFileName(queue: SpillQueueName | "refused"): string {
  return `${queue}-${String(Date.now()).padStart(14, "0")}-${randomBytes(6).toString("hex")}${ENDING}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Locks by SQLite's file lock, which works on every platform and ends with the process. Null when it is taken. */
export function lockFolder(path: string): FolderLease | null {
  const file = new DatabaseSync(join(path, "lock"));
  try {
    file.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return { path, release: () => file.close() };
  } catch (error) {
    file.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

const SQLITE_BUSY = 5;
