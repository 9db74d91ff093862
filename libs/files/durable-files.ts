import { mkdir, open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Read and written by its owner alone. */
const PRIVATE = 0o600;

/**
 * Writes a file so that a power failure at any moment leaves either its old or its new content, whole; once this has resolved,
 * the new one. It writes a draft beside the file, syncs it, renames it and syncs the folder. `mode` is 0600 by default.
 * Rejects as Node does. Callers must not write the same file at the same time.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  mode = PRIVATE,
): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", mode);
  try {
    // `open` does not change the mode of a draft that an earlier process left.
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameDurably(draft, path);
}

/** Renames a file or folder whose content is already synced; resolves when the new name is synced too. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
  if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
}

/** Makes a folder and its missing parents, and syncs their names. Does nothing if the folder exists. */
export async function makeFolderDurably(path: string, mode = 0o700): Promise<void> {
  const folder = resolve(path);
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  const end = dirname(first);
  for (let made = folder; made !== end; made = dirname(made)) await syncFolder(dirname(made));
}

/** Syncs a file that another program has written. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs the names in a folder: a new or renamed file survives a power failure only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  // Windows does not open folders; there the journal of NTFS has to do.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
