import type { DatabaseSync } from "node:sqlite";

/** A webhook that waits to be delivered. */
export interface PendingEvent {
  readonly sequence: number;
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
}

/** The webhooks that nobody has taken yet; times are milliseconds of the machine's clock. */
export interface EventQueue {
  /** Says how many of the oldest it dropped because too many wait. */
  add(id: string, payload: string): number;
  /** The oldest of those that may be sent now. */
  next(now: number): PendingEvent | undefined;
  /** When the next one may be sent; undefined when none waits. */
  nextAttemptAt(): number | undefined;
  /** Counts an attempt that failed; the next one comes at `at`. */
  postpone(sequence: number, at: number): void;
  /** Lets all be sent at once. */
  hurry(): void;
  remove(sequence: number): void;
}

const MOST_PENDING = 10_000;

export const EVENTS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, payload TEXT NOT NULL, attempts INTEGER NOT NULL,
    next_attempt_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_next ON events (next_attempt_at, sequence);
`;

/** The queue in a database that has its schema. */
export function openEventQueue(database: DatabaseSync): EventQueue {
  const add = database.prepare("INSERT INTO events (id, payload, attempts) VALUES (?, ?, 0)");
  // By their numbers, since counting them would take longer the more wait: the latest ones are never dropped.
  const trim = database.prepare(
    `DELETE FROM events WHERE sequence <= (SELECT max(sequence) FROM events) - ${MOST_PENDING}`,
  );
  const next = database.prepare(
    "SELECT sequence, id, payload, attempts FROM events WHERE next_attempt_at <= ? ORDER BY sequence LIMIT 1",
  );
  const nextAttemptAt = database.prepare("SELECT min(next_attempt_at) AS at FROM events");
  const postpone = database.prepare(
    "UPDATE events SET attempts = attempts + 1, next_attempt_at = ? WHERE sequence = ?",
  );
  const hurry = database.prepare("UPDATE events SET next_attempt_at = 0 WHERE next_attempt_at > 0");
  const remove = database.prepare("DELETE FROM events WHERE sequence = ?");
  return {
    add: (id, payload) => {
      add.run(id, payload);
      return Number(trim.run().changes);
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
    remove: (sequence) => void remove.run(sequence),
  };
}
