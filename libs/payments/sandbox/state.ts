import { DatabaseSync } from "node:sqlite";
import { dueAt } from "./due.ts";
import type { RecordKind, Records } from "./records.ts";

/** A webhook that waits to be delivered. */
export interface PendingEvent {
  readonly sequence: number;
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
}

/** The answer to a request that carried an idempotency key. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly body: string;
}

/** Everything the sandbox knows, in one SQLite file. */
export interface State {
  find<K extends RecordKind>(kind: K, id: string): Records[K] | undefined;
  /** Newest first. */
  list<K extends RecordKind>(kind: K): Records[K][];
  /** What time changes at `now` or before, oldest first, at most 1,000. */
  listDue<K extends RecordKind>(kind: K, now: number): Records[K][];
  save<K extends RecordKind>(kind: K, record: Records[K]): void;
  remove(kind: RecordKind, id: string): void;
  /** Says how many of the oldest events it dropped because too many wait. */
  addEvent(id: string, payload: string): number;
  nextEvent(): PendingEvent | undefined;
  countAttempt(sequence: number): void;
  removeEvent(sequence: number): void;
  keptAnswer(key: string, notBefore: number): KeptAnswer | undefined;
  keepAnswer(key: string, answer: KeptAnswer, now: number): void;
  /** How far the sandbox's clock is ahead of the machine's, in seconds. */
  clockOffset(): number;
  setClockOffset(seconds: number): void;
  /** All of the change or nothing; on durable storage when it returns. */
  transaction<T>(change: () => T): T;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS records (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL,
    due_at INTEGER, UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_due ON records (kind, due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, payload TEXT NOT NULL, attempts INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, body TEXT NOT NULL, answered_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`;

const MOST_PENDING_EVENTS = 10_000;
const MOST_ANSWERS = 10_000;

/** Opens the state, made anew when there is none. Throws one sentence when another process has it, or it is damaged. */
export function openState(file: string): State {
  const database = openDatabase(file);
  const find = database.prepare("SELECT json FROM records WHERE kind = ? AND id = ?");
  const list = database.prepare("SELECT json FROM records WHERE kind = ? ORDER BY sequence DESC");
  const save = database.prepare(
    `INSERT INTO records (kind, id, json, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET json = excluded.json, due_at = excluded.due_at`,
  );
  const listDue = database.prepare(
    "SELECT json FROM records WHERE kind = ? AND due_at <= ? ORDER BY sequence LIMIT 1000",
  );
  const remove = database.prepare("DELETE FROM records WHERE kind = ? AND id = ?");
  const addEvent = database.prepare("INSERT INTO events (id, payload, attempts) VALUES (?, ?, 0)");
  const trimEvents = database.prepare(
    `DELETE FROM events WHERE sequence <= (SELECT max(sequence) FROM events) - ${MOST_PENDING_EVENTS}`,
  );
  const nextEvent = database.prepare(
    "SELECT sequence, id, payload, attempts FROM events ORDER BY sequence LIMIT 1",
  );
  const countAttempt = database.prepare("UPDATE events SET attempts = attempts + 1 WHERE sequence = ?");
  const removeEvent = database.prepare("DELETE FROM events WHERE sequence = ?");
  const keptAnswer = database.prepare(
    "SELECT fingerprint, body FROM answers WHERE key = ? AND answered_at >= ?",
  );
  const keepAnswer = database.prepare("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)");
  const trimAnswers = database.prepare(
    `DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ${MOST_ANSWERS}`,
  );
  const setting = database.prepare("SELECT value FROM settings WHERE name = ?");
  const setSetting = database.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)");

  return {
    find: (kind, id) => {
      const row = find.get(kind, id);
      return row === undefined ? undefined : JSON.parse(String(row.json));
    },
    list: (kind) => list.all(kind).map((row) => JSON.parse(String(row.json))),
    save: (kind, record) => {
      save.run(kind, record.id, JSON.stringify(record), dueAt(kind, record));
    },
    listDue: (kind, now) => listDue.all(kind, now).map((row) => JSON.parse(String(row.json))),
    remove: (kind, id) => void remove.run(kind, id),
    addEvent: (id, payload) => {
      addEvent.run(id, payload);
      return Number(trimEvents.run().changes);
    },
    nextEvent: () => {
      const row = nextEvent.get();
      if (row === undefined) return undefined;
      return {
        sequence: Number(row.sequence),
        id: String(row.id),
        payload: String(row.payload),
        attempts: Number(row.attempts),
      };
    },
    countAttempt: (sequence) => void countAttempt.run(sequence),
    removeEvent: (sequence) => void removeEvent.run(sequence),
    keptAnswer: (key, notBefore) => {
      const row = keptAnswer.get(key, notBefore);
      return row === undefined ? undefined : { fingerprint: String(row.fingerprint), body: String(row.body) };
    },
    keepAnswer: (key, answer, now) => {
      keepAnswer.run(key, answer.fingerprint, answer.body, now);
      trimAnswers.run();
    },
    clockOffset: () => Number(setting.get("clock_offset")?.value ?? 0),
    setClockOffset: (seconds) => void setSetting.run("clock_offset", seconds),
    transaction: (change) => {
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = change();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => database.close(),
  };
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The sandbox's state file ${file} cannot be used: ${reason}.`);
  }
}
