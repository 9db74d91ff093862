import type { DatabaseSync } from "node:sqlite";

/** A webhook to deliver. */
export interface PendingEvent {
  readonly sequence: number;
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
}

/** The webhooks that no endpoint has accepted yet; times are milliseconds of the machine's clock. */
export interface EventQueue {
  /** Returns how many of the oldest it dropped because the queue is full. */
  add(id: string, payload: string): number;
  /** The oldest event that may be sent now. */
  next(now: number): PendingEvent | undefined;
  /** When the next one may be sent; undefined for an empty queue. */
  nextAttemptAt(): number | undefined;
  /**
   * Counts a failed attempt; the next one comes at `at`. Kept in memory only: the webhook endpoint writes to the same
   * disk, so an attempt may have failed because the disk hangs, and a write here would block the thread.
   */
  postpone(sequence: number, at: number): void;
  /** Makes every event due now. */
  hurry(): void;
  remove(sequence: number): void;
}

const MOST_PENDING = 10_000;

/** `attempts` and `next_attempt_at` come from versions that stored each attempt. */
export const EVENTS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, payload TEXT NOT NULL, attempts INTEGER NOT NULL,
    next_attempt_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`;
const WAITS_SCHEMA = `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP TABLE waits (sequence INTEGER PRIMARY KEY, attempts INTEGER NOT NULL, next_attempt_at INTEGER NOT NULL) STRICT;
`;

/** The queue in a database that has its schema. */
export function openEventQueue(database: DatabaseSync): EventQueue {
  database.exec(WAITS_SCHEMA);
  const add = database.prepare("INSERT INTO events (id, payload, attempts) VALUES (?, ?, 0)");
  // By sequence, since counting would take longer as the queue grows. The latest events are never dropped.
  const trim = database.prepare(
    `DELETE FROM events WHERE sequence <= (SELECT max(sequence) FROM events) - ${MOST_PENDING}`,
  );
  const next = database.prepare(
    `SELECT sequence, id, payload, coalesce(waits.attempts, events.attempts) AS attempts
     FROM events LEFT JOIN waits USING (sequence)
     WHERE coalesce(waits.next_attempt_at, 0) <= ? ORDER BY sequence LIMIT 1`,
  );
  const nextAttemptAt = database.prepare(
    "SELECT min(coalesce(waits.next_attempt_at, 0)) AS at FROM events LEFT JOIN waits USING (sequence)",
  );
  const postpone = database.prepare(
    `INSERT INTO waits SELECT sequence, attempts + 1, ? FROM events WHERE sequence = ?
     ON CONFLICT DO UPDATE SET attempts = waits.attempts + 1, next_attempt_at = excluded.next_attempt_at`,
  );
  const hurry = database.prepare("UPDATE waits SET next_attempt_at = 0");
  const remove = database.prepare("DELETE FROM events WHERE sequence = ?");
  const forget = database.prepare("DELETE FROM waits WHERE sequence = ?");
  const forgetTrimmed = database.prepare(
    "DELETE FROM waits WHERE sequence < (SELECT min(sequence) FROM events)",
  );
  return {
    add: (id, payload) => {
      add.run(id, payload);
      const trimmed = Number(trim.run().changes);
      if (trimmed > 0) forgetTrimmed.run();
      return trimmed;
    },
    next: (now) => {
      const row = next.get(now);
      if (row === undefined) return undefined;
      return {
        sequence: Number(row.sequence),
        id: String(row.id),
        payload: String(row.payload),
        attempts: Number(row.attempts),
      };
    },
    nextAttemptAt: () => {
      const at = nextAttemptAt.get()?.at ?? null;
      return at === null ? undefined : Number(at);
    },
    postpone: (sequence, at) => void postpone.run(at, sequence),
    hurry: () => void hurry.run(),
    remove: (sequence) => {
      remove.run(sequence);
      forget.run(sequence);
    },
  };
}
