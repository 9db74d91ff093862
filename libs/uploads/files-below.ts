import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FoundFile, Uploads } from "./port.ts";
import { parseUploadKey } from "./upload-key.ts";

/** Files on their way, beside the folders of the workspaces. */
export const INCOMING = "incoming";

/** Reads a folder of uploads without opening it as a store; a missing folder has no files. */
export function filesBelow(folder: string): Pick<Uploads, "find" | "keys"> {
  async function find(key: string): Promise<FoundFile | null> {
    const parsed = parseUploadKey(key);
    if (parsed === null) return null;
    const found = await stat(pathBelow(folder, key)).catch(nullWhereMissing);
    if (found === null) return null;
    // A stored file never changes, so its key identifies the content.
    return { contentType: parsed.contentType, contentLength: found.size, version: parsed.random };
  }

  /** One folder per workspace; files with other names than a key's are skipped. */
  async function* keys(): AsyncGenerator<string> {
    const workspaces = await opendir(folder).catch(nullWhereMissing);
    for await (const workspace of workspaces ?? []) {
      if (!workspace.isDirectory() || workspace.name === INCOMING) continue;
      const files = await opendir(join(folder, workspace.name)).catch(nullWhereMissing);
      for await (const file of files ?? []) {
        const key = `${workspace.name}/${file.name}`;
        if (parseUploadKey(key) !== null) yield key;
      }
    }
  }

  return { find, keys };
}

/** The path of a key. Throws `RangeError` for any other text, so that nobody reaches another file. */
export function pathBelow(folder: string, key: string): string {
  const parsed = parseUploadKey(key);
  if (parsed === null) throw new RangeError("Not the key of an upload.");
  return join(folder, parsed.workspaceId, parsed.fileName);
}

/** A handler for `catch`: null if the file or folder does not exist; throws any other error again. */
export function nullWhereMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
