import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EventLogError } from "../errors.ts";

/** "PLCE": marks a SQLite file as an event log, so that this program never writes to another program's database. */
const APPLICATION_ID = 0x504c4345;
const FORMAT = 2;
/** In format 1 an intent did not record its origin. */
const UPGRADE_OF_1 = `ALTER TABLE marks ADD COLUMN intent_origin TEXT; PRAGMA user_version = ${FORMAT};`;
/** The page size of a new file. A batch is about ten kilobytes, and SQLite writes and checks each page by itself. */
const PAGE_BYTES = 32_768;
/** A file up to this size is checked when it is opened. A longer backlog is checked as it is read. */
const CHECKED_BYTES = 64 * 1024 * 1024;
/**
 * Over the length at which SQLite moves the write-ahead log into the file (1,000 pages), so that the log is written over and
 * never made longer again: a commit that grows a file costs a third more.
 */
const KEPT_WAL_BYTES = 40 * 1024 * 1024;
const BUSY_MS = 5000;
/** SQLite's code for a transaction to be undone on a read-only connection, among others. */
const READONLY = 8;

/**
 * `events_through` counts all events up to and including its batch, which makes the lag a subtraction. `appended_at` is in milliseconds
 * since the epoch, and null in batches of earlier releases, which did not have the column. `marks` has one row:
 * the id of this log (`incarnation`), the epoch of the partition's owner, the committed offset, and the recorded intent.
 */
const SCHEMA = `
  CREATE TABLE batches (
    offset INTEGER PRIMARY KEY AUTOINCREMENT,
    count INTEGER NOT NULL,
    events_through INTEGER NOT NULL,
    rows BLOB NOT NULL,
    appended_at INTEGER
  ) STRICT;
  CREATE TABLE marks (
    partition INTEGER PRIMARY KEY CHECK (partition = 0),
    incarnation TEXT NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 0,
    committed INTEGER NOT NULL DEFAULT 0,
    committed_events INTEGER NOT NULL DEFAULT 0,
    intent_first INTEGER,
    intent_last INTEGER,
    intent_origin TEXT
  ) STRICT;
  CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    put_aside_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    line TEXT NOT NULL
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
`;

/**
 * Opens the log's SQLite file, or creates it. `synchronous = FULL` makes every COMMIT durable. Throws `EventLogError`
 * `DAMAGED` when the file is not a readable event log (it stays unchanged) and `UNAVAILABLE` when it cannot be opened now.
 */
export function openDatabase(file: string, maxFileBytes: number): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (existsSync(file)) check(file);
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    if (isEmpty(database))
      database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${KEPT_WAL_BYTES}`,
    );
    database.exec(`PRAGMA max_page_count = ${Math.ceil(maxFileBytes / pageBytesOf(database))}`);
    inTransaction(database, create);
    inTransaction(database, upgrade);
    // What an earlier process left in the write-ahead log must be durable in the file before anything builds on it.
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return database;
  } catch (error) {
    database?.close();
    throw asOpenError(error, file);
  }
}

/** The page size, which a file keeps from its creation. */
export function pageBytesOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA page_size").get()?.page_size);
}

/** Runs `body` between BEGIN and COMMIT, and rolls back when it throws. */
export function inTransaction<T>(database: DatabaseSync, body: (database: DatabaseSync) => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = body(database);
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** SQLite's primary result code of an error, or null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode & 0xff;
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n === 0;
}

function create(database: DatabaseSync): void {
  if (!isEmpty(database)) return;
  database.exec(SCHEMA);
  const logId = randomBytes(8).toString("hex");
  database.prepare("INSERT INTO marks (partition, incarnation) VALUES (0, ?)").run(logId);
}

function upgrade(database: DatabaseSync): void {
  if (formatOf(database) === 1) database.exec(UPGRADE_OF_1);
  // No format of its own: earlier releases write without it, so going back to one stays possible.
  const columns = database.prepare("SELECT name FROM pragma_table_info('batches')").all();
  if (!columns.some(({ name }) => name === "appended_at"))
    database.exec("ALTER TABLE batches ADD COLUMN appended_at INTEGER");
  // Judgements of the last range that has any, by which its insert is repeated.
  database.exec(
    "CREATE TABLE IF NOT EXISTS judged (partition INTEGER PRIMARY KEY CHECK (partition = 0), range TEXT NOT NULL, judgements BLOB NOT NULL) STRICT",
  );
  // The note of the installation that the file belongs to. No row until the first one is written.
  database.exec(
    "CREATE TABLE IF NOT EXISTS installation (partition INTEGER PRIMARY KEY CHECK (partition = 0), note TEXT NOT NULL) STRICT",
  );
}

function formatOf(database: DatabaseSync): unknown {
  return database.prepare("PRAGMA user_version").get()?.user_version;
}

/**
 * Checks an existing file on a read-only connection: closing a writable one would checkpoint the write-ahead log. Only a writable one
 * can undo a creation that a power cut has interrupted, when there was no such log yet.
 */
function check(file: string): void {
  try {
    checkOn(file, true);
  } catch (error) {
    if (sqliteCode(error) !== READONLY) throw error;
    checkOn(file, false);
  }
}

function checkOn(file: string, readOnly: boolean): void {
  const database = new DatabaseSync(file, { timeout: BUSY_MS, readOnly });
  try {
    if (!isEmpty(database)) checkContent(database, file);
  } finally {
    database.close();
  }
}

function checkContent(database: DatabaseSync, file: string): void {
  if (database.prepare("PRAGMA application_id").get()?.application_id !== APPLICATION_ID)
    throw new EventLogError("DAMAGED", `The file ${file} is not an event log and was left as it is.`);
  const format = formatOf(database);
  if (format !== 1 && format !== FORMAT)
    throw new EventLogError(
      "DAMAGED",
      `The event log ${file} was written by another version of this program.`,
    );
  if (statSync(file).size > CHECKED_BYTES) return;
  const found = quickCheck(database);
  if (found !== null) throw damaged(file, found);
}

/** The first damage of the file's structure, in SQLite's words; null where there is none. Reads every page. */
export function quickCheck(database: DatabaseSync): string | null {
  const found = database.prepare("PRAGMA quick_check(1)").get()?.quick_check;
  return found === "ok" ? null : String(found).replace(/\s+/g, " ").trim();
}

const DAMAGE = new Set([1 /* schema missing */, 11 /* CORRUPT */, 26 /* NOTADB */]);

function asOpenError(error: unknown, file: string): EventLogError {
  if (error instanceof EventLogError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = sqliteCode(error);
  if (code !== null && DAMAGE.has(code)) return damaged(file, message);
  return new EventLogError("UNAVAILABLE", `The event log ${file} cannot be opened: ${message}.`);
}

function damaged(file: string, detail: string): EventLogError {
  const oneLine = detail.replace(/\s+/g, " ").trim();
  return new EventLogError("DAMAGED", `The event log ${file} is damaged and was left as it is: ${oneLine}.`);
}
