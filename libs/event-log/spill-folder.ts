import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolderDurably, renameDurably } from "#libs/files/index.ts";
import { EventLogError } from "./errors.ts";

/** Processes that may spill below one folder at the same time. */
const MOST_SLOTS = 256;
const ENDING = ".spill";

/**
 * - `unsent`: the log certainly does not have the batch, so that it can be replayed at once
 * - `unclear`: the log may have it, or may take it yet, so that its replay waits
 */
export type LaneName = "unsent" | "unclear";

/** A folder of one process below the spill's own, held until it is released or the process ends, however it ends. */
export interface SpillSlot {
  readonly path: string;
  release(): void;
}

/**
 * Takes the first slot that nobody holds: `0`, `1` and so on below `folder`. Throws `EventLogError` `UNAVAILABLE` in one
 * sentence when the folder cannot be written to or every slot is held.
 */
export async function takeSlot(folder: string): Promise<SpillSlot> {
  try {
    for (let number = 0; number < MOST_SLOTS; number++) {
      const path = join(folder, String(number));
      await makeFolderDurably(path);
      const slot = lock(path);
      if (slot !== null) return slot;
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
    `${MOST_SLOTS} processes hold the spill's folder ${folder} already.`,
  );
}

/** Moves what processes that are gone have left in their slots into `own`. Returns the files as they are called there. */
export async function adoptLeftovers(folder: string, own: SpillSlot): Promise<string[]> {
  const adopted: string[] = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!/^\d+$/.test(name) || path === own.path || spillFiles(path).length === 0) continue;
    const slot = lock(path);
    if (slot === null) continue;
    try {
      for (const file of spillFiles(path)) {
        await renameDurably(join(path, file), join(own.path, file));
        adopted.push(join(own.path, file));
      }
    } finally {
      slot.release();
    }
  }
  return adopted;
}

/** The names of the spill files of a folder, oldest first. */
export function spillFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ENDING))
    .sort();
}

/** The lane that the file was named for by `newFileName`. */
export function laneOf(file: string): LaneName {
  return basename(file).startsWith("unclear-") ? "unclear" : "unsent";
}

/** A name that is not given twice, also when slots are put together; it sorts by time. */
export function newFileName(lane: LaneName | "refused"): string {
  return `${lane}-${String(Date.now()).padStart(14, "0")}-${randomBytes(6).toString("hex")}${ENDING}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** SQLite's file lock is the one that Node offers everywhere and that no kill leaves behind. Null when it is held. */
function lock(path: string): SpillSlot | null {
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
