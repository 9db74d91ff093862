import { mkdir, open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** What a private file may be done with: read and written by its owner alone. */
const PRIVATE = 0o600;

/**
 * Writes a file so that after a power failure at any moment it is there in whole, with the new content once this has
 * resolved, or as it was before: a draft beside it, synced, renamed, and the folder synced. `mode` is 0600 by default.
 * Rejects as Node does. Two writers of one file have to take turns.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  mode = PRIVATE,
): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", mode);
  try {
    // A draft that an earlier process has left keeps its mode otherwise.
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameDurably(draft, path);
}

/** Renames a file or folder whose content is on the disk already; resolves when the new name is on it too. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
  if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
}

/** Makes a folder, and those above it that are missing, and syncs their names. Does nothing where it is there. */
export async function makeFolderDurably(path: string, mode = 0o700): Promise<void> {
  const folder = resolve(path);
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  const end = dirname(first);
  for (let made = folder; made !== end; made = dirname(made)) await syncFolder(dirname(made));
}

/** Brings to the disk what another program has written to the file. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A file that was made, or renamed, survives a power failure only when its folder is on the disk too. */
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
