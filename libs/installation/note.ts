import { z } from "zod";

/** The stores of an installation, by the names that people give in `ACCEPT_DATA_LOSS`. */
export const STORE_NAMES = ["postgres", "clickhouse", "events", "uploads"] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** What a store remembers of the installation that it belongs to. */
export const noteSchema = z.object({
  /** The installation's own id, the same in every store. */
  installation: z.string().min(1).max(64),
  /** The number of the last checkpoint; each one adds 1. */
  checkpoint: z.number().int().positive(),
  /** The newest offset of the event log at that time; 0 for an empty log. */
  logEnd: z.number().int().nonnegative(),
});
export type Note = z.infer<typeof noteSchema>;

/** A store that keeps a note among its own data, so that the note is lost or restored together with the data. */
export interface NotedStore {
  readonly name: StoreName;
  /** Where it is, for people: a folder, a file or an address. */
  readonly place: string;
  /** The note that was written last, or null for a store without one. */
  readNote(): Promise<Note | null>;
  /** Resolves when the note is durable. */
  writeNote(note: Note): Promise<void>;
}
