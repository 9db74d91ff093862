import type { FetchedMessage } from "kafkajs/src/broker/index.js";
import type { EventBatch, Offset } from "../port.ts";

/** A message appended this long after it was sent may come after its own repetition, in milliseconds. */
const LATE_MS = 10_000;
/** A message appended this long before it was sent: the clocks disagree, so its delay is unknown, in milliseconds. */
const EARLY_MS = 1000;
const LOG_APPEND_TIME = 1;
const NEWLINE = 0x0a;

/** A batch and its offset. */
export interface StoredBatch {
  readonly offset: Offset;
  /** The leader epoch of the append. An offset that was lost is assigned again in a later epoch. */
  readonly leaderEpoch: number;
  /** When the broker appended it, by its clock, in milliseconds since the epoch. */
  readonly appendedAt: number;
  readonly batch: EventBatch;
}

/** The headers of a batch. Only a repetition has `attempt`, its retry token. */
export function recordHeaders(batch: EventBatch, attempt: string | undefined): Record<string, string> {
  return {
    count: String(batch.count),
    sent: String(Date.now()),
    ...(attempt !== undefined && { attempt }),
  };
}

/**
 * A message as a batch. Messages of other programs are accepted: a newline at the end separates them from their neighbours,
 * their lines count as events, and ingestion writes the invalid ones to the dead letters.
 */
export function batchOf(message: FetchedMessage): EventBatch {
  const rows = endedByNewline(message.value ?? Buffer.alloc(0));
  const count = numberIn(message, "count") ?? linesIn(rows);
  return mayRepeat(message) ? { rows, count, mayRepeat: true } : { rows, count };
}

function mayRepeat(message: FetchedMessage): boolean {
  if (message.headers?.attempt !== undefined) return true;
  if (message.batchContext?.timestampType !== LOG_APPEND_TIME) return true;
  const sent = numberIn(message, "sent");
  if (sent === null) return true;
  const underway = Number(message.timestamp) - sent;
  return underway > LATE_MS || underway < -EARLY_MS;
}

function numberIn(message: FetchedMessage, header: string): number | null {
  const given = message.headers?.[header];
  const text = String(Array.isArray(given) ? given[0] : given);
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function endedByNewline(value: Buffer): Buffer {
  if (value.length === 0 || value.at(-1) === NEWLINE) return value;
  return Buffer.concat([value, Buffer.of(NEWLINE)]);
}

function linesIn(rows: Buffer): number {
  let lines = 0;
  for (let at = rows.indexOf(NEWLINE); at >= 0; at = rows.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/** The same batch, marked as possibly stored already. */
export function asRepeatable({ batch, ...stored }: StoredBatch): StoredBatch {
  return { ...stored, batch: { ...batch, mayRepeat: true } };
}
