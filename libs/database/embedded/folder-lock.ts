import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A folder held by this process; the operating system lets go of it when the process dies, however it dies. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a folder for this process alone; null when another one (or another part of this one) has it.
 * SQLite's file lock is the one lock that Node offers on every platform and that no kill leaves behind.
 */
export function lockFolder(folder: string): FolderLock | null {
  const file = new DatabaseSync(join(folder, "lock"));
  try {
    // Nothing is written, so no journal file is wanted beside the lock.
    file.exec("pragma journal_mode = memory; begin exclusive");
    return { release: () => file.close() };
  } catch (error) {
    file.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

const SQLITE_BUSY = 5;
