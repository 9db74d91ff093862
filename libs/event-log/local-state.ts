import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EventLogError } from "./errors.ts";

/** What an event log's file says of itself at one moment. */
export interface LocalLogState {
  /** The newest offset ever used, 0 for none. */
  readonly end: number;
  /** Up to which offset everything is in the stats store. */
  readonly committed: number;
  /** Events appended and not yet committed. */
  readonly lag: number;
  /** The last offset of a range whose insert was begun and not committed; null for none. */
  readonly intent: number | null;
  /** Lines that the stats store has refused. */
  readonly deadLetters: number;
  /** The text that was noted last; null before the first. */
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

/**
 * Reads the file beside the process that writes it, or without one, and changes nothing. Null where there is no file. Throws
 * `EventLogError` `UNAVAILABLE` where it cannot be read as an event log.
 */
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
