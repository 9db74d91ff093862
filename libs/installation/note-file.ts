import { readFile } from "node:fs/promises";
import { writeDurably } from "#libs/files/index.ts";
import { type Note, noteSchema } from "./note.ts";

/** The note in a file; null where there is no file. Rejects for a file that holds something else. */
export async function readNoteFile(file: string): Promise<Note | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : noteSchema.parse(JSON.parse(text));
}

/** Replaces the file; it is on the disk when this resolves. */
export async function writeNoteFile(file: string, note: Note): Promise<void> {
  await writeDurably(file, `${JSON.stringify(note)}\n`);
}
