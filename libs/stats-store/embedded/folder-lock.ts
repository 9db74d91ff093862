import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A process whose parent was killed takes some seconds to close its engine; the next one waits for it. */
const WAIT_MS = 3500;

/**
 * Holds the data folder for this process until it ends, however it ends: the system lets go of the lock. The engine
 * has a lock of its own, but its files are looked at before it opens them. Throws a sentence when it is taken.
 */
export function lockFolder(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, "embedded.lock"), { timeout: WAIT_MS });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    throw new Error(`another process has ${dataDir} open`, { cause });
  }
  return lock;
}
