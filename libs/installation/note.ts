import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeDurably } from "#libs/files/index.ts";

/** The stores of an installation, by their names in `ACCEPT_DATA_LOSS`. */
export const STORE_NAMES = ["postgres", "clickhouse", "events", "uploads"] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** A store's note of the installation that it belongs to. */
export const noteSchema = z.object({
  /** The installation's own id, the same in every store. */
  installation: z.string().min(1).max(64),
  /** The number of the last checkpoint; each one adds 1. */
  checkpoint: z.number().int().positive(),
  /** The newest offset of the event log at that time; 0 for an empty log. */
  logEnd: z.number().int().nonnegative(),
});
export type Note = z.infer<typeof noteSchema>;

/** The note's file in the folder of uploads, where folders of workspaces cannot have this name. */
export const UPLOADS_NOTE = "installation.json";

/** A store that keeps a note among its own data, so that the note is lost or restored together with the data. */
export interface NotedStore {
  readonly name: StoreName;
  /** Its place in messages: a folder, a file or an address. */
  readonly place: string;
  /** The latest note, or null for a store without one. */
  readNote(): Promise<Note | null>;
  /** Resolves when the note is durable. */
  writeNote(note: Note): Promise<void>;
}

/** The note in a file; null when there is no file. Rejects for a file with other content. */
export async function readNoteFile(file: string): Promise<Note | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : noteSchema.parse(JSON.parse(text));
}

/** Replaces the file. Resolves when the note is durable. */
export async function writeNoteFile(file: string, note: Note): Promise<void> {
  await writeDurably(file, `${JSON.stringify(note)}\n`);
}
