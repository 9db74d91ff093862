import { DatabaseSync } from "node:sqlite";
import { EVENTS_SCHEMA, type EventQueue, openEventQueue } from "./event-queue.ts";
import { openStore, RECORDS_SCHEMA, type Store } from "./store.ts";

/** The answer to a request with an idempotency key. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

/** Everything the sandbox knows, in one SQLite file. */
export interface State {
  readonly store: Store;
  readonly events: EventQueue;
  keptAnswer(key: string, notBefore: number): KeptAnswer | undefined;
  keepAnswer(key: string, answer: KeptAnswer, now: number): void;
  /** How far the sandbox's clock is ahead of the machine's, in seconds. */
  clockOffset(): number;
  setClockOffset(seconds: number): void;
  /** How a subscription ends up when the last attempt to charge an invoice has failed. */
  afterRetries(): AfterRetries;
  setAfterRetries(end: AfterRetries): void;
  /** Makes the change whole or not at all; it is on durable storage when this returns. */
  transaction<T>(change: () => T): T;
  close(): void;
}

export const AFTER_RETRIES = ["cancel", "unpaid", "past_due"] as const;
export type AfterRetries = (typeof AFTER_RETRIES)[number];

const SCHEMA = `
  ${RECORDS_SCHEMA}
  ${EVENTS_SCHEMA}
  CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    answered_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`;

const VERSION = 1;
/** From the first form of the file, which had one account. Answers are dropped: they last for a day only. */
const UPGRADE = `
  ALTER TABLE records RENAME TO records_before;
  ALTER TABLE events ADD COLUMN next_attempt_at INTEGER NOT NULL DEFAULT 0;
  DROP INDEX records_due;
  DROP TABLE answers;
  ${SCHEMA}
  INSERT INTO records (sequence, account, kind, id, json, due_at)
    SELECT sequence, '', kind, id, json, due_at FROM records_before;
  DROP TABLE records_before;
`;

const MOST_ANSWERS = 10_000;

/** Opens the state, or creates it. Throws one sentence when another process has it open, or it is damaged. */
export function openState(file: string): State {
  const database = openDatabase(file);
  const keptAnswer = database.prepare(
    "SELECT fingerprint, status, body FROM answers WHERE key = ? AND answered_at >= ?",
  );
  const keepAnswer = database.prepare("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)");
  const trimAnswers = database.prepare(
    `DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ${MOST_ANSWERS}`,
  );
  const setting = database.prepare("SELECT value FROM settings WHERE name = ?");
  const setSetting = database.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)");

  return {
    store: openStore(database),
    events: openEventQueue(database),
    keptAnswer: (key, notBefore) => {
      const row = keptAnswer.get(key, notBefore);
      if (row === undefined) return undefined;
      return { fingerprint: String(row.fingerprint), status: Number(row.status), body: String(row.body) };
    },
    keepAnswer: (key, answer, now) => {
      keepAnswer.run(key, answer.fingerprint, answer.status, answer.body, now);
      trimAnswers.run();
    },
    clockOffset: () => Number(setting.get("clock_offset")?.value ?? 0),
    setClockOffset: (seconds) => void setSetting.run("clock_offset", seconds),
    afterRetries: () => AFTER_RETRIES[Number(setting.get("after_retries")?.value ?? 0)] ?? "cancel",
    setAfterRetries: (end) => void setSetting.run("after_retries", AFTER_RETRIES.indexOf(end)),
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
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The sandbox's state file ${file} cannot be used: ${reason}.`);
  }
}

function migrate(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version >= VERSION) return;
  const old = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get() !== undefined;
  database.exec(`BEGIN IMMEDIATE; ${old ? UPGRADE : SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT;`);
}
