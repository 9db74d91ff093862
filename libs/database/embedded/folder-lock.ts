import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A folder locked by this process. The operating system releases the lock when the process ends, however it ends. */
export interface FolderLock {
  release(): void;
}

/** Locks a folder by SQLite's file lock, which a kill releases on every platform; null when another holder has it. */
export function lockFolder(folder: string): FolderLock | null {
  const file = new DatabaseSync(join(folder, "lock"));
  try {
    // Nothing is written, so no journal file is needed beside the lock.
    file.exec("pragma journal_mode = memory; begin exclusive");
    return { release: () => file.close() };
  } catch (error) {
    file.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

const SQLITE_BUSY = 5;
