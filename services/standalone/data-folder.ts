import type { Dirent } from "node:fs";
import { access, chmod, constants, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { lockFolder } from "#libs/database/embedded/folder-lock.ts";
import { makeFolderDurably } from "#libs/files/index.ts";
import { type DataPaths, pathsBelow } from "#libs/installation/index.ts";
import { StartError } from "#libs/process/index.ts";
import { releaseReserve } from "./reserve.ts";

/** The folder, locked by this process. */
export interface DataFolder extends DataPaths {
  release(): void;
}

/**
 * Creates and locks the folder, and makes it and its entries readable by the owner alone, because it holds sessions, secrets and
 * mails. `onWarning` is called when the mode cannot be changed, for example because somebody else owns the folder. Throws
 * `StartError` when the folder cannot be written to or another process has locked it.
 */
export async function openDataFolder(
  path: string,
  onWarning: (message: string) => void,
): Promise<DataFolder> {
  const folder = resolve(path);
  const lock = await takeFolder(folder);
  if (lock === null) {
    throw new StartError(
      `Another Placard is running on ${folder}; stop it, or give this one a DATA_DIR of its own.`,
    );
  }
  if (await releaseReserve(pathsBelow(path).reserve)) {
    onWarning(
      `The disk of ${folder} (DATA_DIR) is full: this start uses the reserve. Free some space, or events are refused.`,
    );
  }
  await closeToOthers(folder).catch((error: unknown) => {
    onWarning(`Others may be able to read ${folder} (DATA_DIR): ${reasonOf(error)}.`);
  });
  return { ...pathsBelow(folder), release: () => lock.release() };
}

async function takeFolder(folder: string) {
  try {
    await makeFolderDurably(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    return lockFolder(folder);
  } catch (error) {
    throw new StartError(`The folder ${folder} cannot be used (DATA_DIR): ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

const OWNER_ALONE = 0o700;

/** The folder first, so that nobody else reaches its content from then on. Subfolders are not searched. */
async function closeToOthers(folder: string): Promise<void> {
  // Windows has no such modes.
  if (process.platform === "win32") return;
  await closeOne(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (isOwn(entry)) await closeOne(join(folder, entry.name));
  }
}

/** A link may lead to a folder that others are meant to read. */
function isOwn(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory();
}

async function closeOne(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, mode & OWNER_ALONE);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
