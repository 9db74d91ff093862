import type { FetchedMessage } from "kafkajs/src/broker/index.js";
import type { EventBatch, Offset } from "./port.ts";

/** A message appended so long after it was sent may stand behind its own repetition, in milliseconds. */
const LATE_MS = 10_000;
/** A message appended before it was sent: clocks disagree, so lateness cannot be told, in milliseconds. */
const EARLY_MS = 1000;
const LOG_APPEND_TIME = 1;
const NEWLINE = 0x0a;

/** A batch with its place in the partition. */
export interface StoredBatch {
  readonly offset: Offset;
  /** Counts the leaders that the partition had when it was appended: an offset that was lost is given in a later one. */
  readonly leaderEpoch: number;
  readonly batch: EventBatch;
}

/** What a message says of the batch that is its value. `attempt` is there on a repetition alone. */
export function headersOf(batch: EventBatch, attempt: string | undefined): Record<string, string> {
  return {
    count: String(batch.count),
    sent: String(Date.now()),
    ...(attempt !== undefined && { attempt }),
  };
}

/**
 * A message as a batch. One that is none of ours is taken as it comes: ended by a newline, so that it cannot spoil its
 * neighbours, with as many events as lines; ingestion then puts its lines aside one by one.
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

/** The same batch, of which some events may be stored already. */
export function asRepeatable({ batch, ...stored }: StoredBatch): StoredBatch {
  return { ...stored, batch: { ...batch, mayRepeat: true } };
}
