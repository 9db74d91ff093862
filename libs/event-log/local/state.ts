import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EventLogError } from "../errors.ts";
import { quickCheck } from "./database.ts";

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

const WAITING = "SELECT offset, count, rows FROM batches WHERE offset > (SELECT committed FROM marks)";
const NEWLINE = 10;

/**
 * What is damaged in an event log's file, a sentence each; empty if nothing is. Checks all pages as a start does, and reads each batch that
 * is not in the stats store yet. Reads the file once, also while it is written. Never throws.
 */
export function findLogDamage(file: string): string[] {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    const found = quickCheck(database);
    if (found !== null) return [`The event log ${file} is damaged: ${found}.`];
    return [...database.prepare(WAITING).iterate()].flatMap(({ offset, count, rows }) => {
      const lines = rows instanceof Uint8Array ? rows.filter((byte) => byte === NEWLINE).length : 0;
      return lines === count ? [] : [`Batch ${offset} of ${file} has ${lines} of its ${count} events.`];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`The event log ${file} is damaged: ${reason}.`];
  } finally {
    database?.close();
  }
}

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
