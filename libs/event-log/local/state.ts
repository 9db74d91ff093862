import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EventLogError } from "../errors.ts";

/** The state of an event log's file at one moment. */
export interface LocalLogState {
  /** The newest offset ever used, 0 for none. */
  readonly end: number;
  /** Everything up to this offset is in the stats store. */
  readonly committed: number;
  /** Events appended and not yet committed. */
  readonly lag: number;
  /** The last offset of the recorded intent; null for none. */
  readonly intent: number | null;
  /** Lines that the stats store has refused. */
  readonly deadLetters: number;
  /** The note of the installation; null before the first. */
  readonly note: string | null;
}

const BUSY_MS = 5000;

const STATE = `
  SELECT committed, intent_last AS intent,
    coalesce((SELECT offset FROM batches ORDER BY offset DESC LIMIT 1), committed) AS end,
    coalesce((SELECT events_through FROM batches ORDER BY offset DESC LIMIT 1), committed_events) - committed_events AS lag,
    (SELECT count(*) FROM dead_letters) AS deadLetters,
    (SELECT note FROM installation) AS note
  FROM marks`;

/** Reads the file, also while it is written; null without a file. Throws `EventLogError` `UNAVAILABLE`. */
export function readLocalLog(file: string): LocalLogState | null {
  if (!existsSync(file)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    const { note, intent, ...marks } = database.prepare(STATE).get() ?? {};
    return {
      end: Number(marks.end),
      committed: Number(marks.committed),
      lag: Number(marks.lag),
      intent: intent === null ? null : Number(intent),
      deadLetters: Number(marks.deadLetters),
      note: typeof note === "string" ? note : null,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EventLogError("UNAVAILABLE", `The event log ${file} cannot be read: ${reason}.`);
  } finally {
    database?.close();
  }
}
