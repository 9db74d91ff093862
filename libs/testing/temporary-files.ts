import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "placard-tests-";
/** Files in memory, where Linux offers that: tests create thousands and sync most of them. */
const MEMORY_FOLDER = "/dev/shm";
/** What as many test files as run at a time leave there at most is half of this. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3;

/** The folder for files that do not outlive the run: in memory where that has room. */
export function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    accessSync(MEMORY_FOLDER, constants.W_OK);
    return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** The temporary folder of this run of vitest; `TMPDIR` of its workers. */
export const TEMPORARY_FILES = join(fastestFolder(), `${PREFIX}${process.pid}`);

/** vitest's global setup: makes the folder, and removes it after the run, with those of runs that were killed. */
export function setup(): () => void {
  const parent = fastestFolder();
  for (const name of readdirSync(parent)) {
    const pid = Number(name.slice(PREFIX.length));
    if (name.startsWith(PREFIX) && !isRunning(pid)) removeAll(join(parent, name));
  }
  mkdirSync(TEMPORARY_FILES, { recursive: true, mode: 0o700 });
  return () => removeAll(TEMPORARY_FILES);
}

function removeAll(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
