import { crc32 } from "node:zlib";

/** A batch as it waits in the spill. */
export interface SpilledBatch {
  /** What its repetition goes by; see `RepeatableLog`. */
  readonly attempt: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly spilledAt: number;
  readonly rows: Buffer;
}

/** What a spill file holds. */
export interface ReadRecords {
  readonly batches: readonly SpilledBatch[];
  /** Says what is wrong with the file, or null. A record that was cut off at its end is not wrong: nobody was told of it. */
  readonly damage: string | null;
}

/*
 * A record, numbers big-endian:
 *
 *     magic 4 | length of the payload 4 | checksum of the payload 4 | checksum of these twelve bytes 4
 *     payload: length of the attempt 2 | attempt | count 4 | spilled at 8 | rows
 *
 * The head has a checksum of its own, so that a record cut off by a crash (a sound head, too few bytes behind it) can be
 * told from a damaged one.
 */
const MAGIC = Buffer.from("PLS1");
const HEAD_BYTES = 16;
const FIXED_BYTES = 14;

/** Bytes that a record takes. */
export function recordBytes({ attempt, rows }: Pick<SpilledBatch, "attempt" | "rows">): number {
  return HEAD_BYTES + FIXED_BYTES + Buffer.byteLength(attempt) + rows.length;
}

export function encodeRecord(batch: SpilledBatch): Buffer {
  const record = Buffer.alloc(recordBytes(batch));
  const payload = record.subarray(HEAD_BYTES);
  const attemptBytes = payload.write(batch.attempt, 2);
  payload.writeUInt16BE(attemptBytes, 0);
  payload.writeUInt32BE(batch.count, 2 + attemptBytes);
  payload.writeDoubleBE(batch.spilledAt, 6 + attemptBytes);
  batch.rows.copy(payload, FIXED_BYTES + attemptBytes);
  MAGIC.copy(record);
  record.writeUInt32BE(payload.length, 4);
  record.writeUInt32BE(crc32(payload), 8);
  record.writeUInt32BE(crc32(record.subarray(0, 12)), 12);
  return record;
}

/** Reads every sound record, also those behind a damaged place. The rows are views of `bytes`. */
export function readRecords(bytes: Buffer): ReadRecords {
  const batches: SpilledBatch[] = [];
  let damage: string | null = null;
  let at = 0;
  while (at < bytes.length) {
    const end = endOfHead(bytes, at);
    if (end !== null && end > bytes.length) break;
    const payload = end === null ? null : bytes.subarray(at + HEAD_BYTES, end);
    if (end !== null && payload !== null && crc32(payload) === bytes.readUInt32BE(at + 8)) {
      batches.push(decode(payload));
      at = end;
      continue;
    }
    const rest = bytes.subarray(at);
    if (rest.length < HEAD_BYTES && MAGIC.subarray(0, rest.length).equals(rest.subarray(0, MAGIC.length)))
      break;
    damage ??= `the record at byte ${at} does not agree with its checksum`;
    const next = bytes.indexOf(MAGIC, at + 1);
    if (next < 0) break;
    at = next;
  }
  return { batches, damage };
}

/** Where the record ends by what its head says, or null where there is no sound head. */
function endOfHead(bytes: Buffer, at: number): number | null {
  if (at + HEAD_BYTES > bytes.length) return null;
  const head = bytes.subarray(at, at + HEAD_BYTES);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (crc32(head.subarray(0, 12)) !== head.readUInt32BE(12)) return null;
  return at + HEAD_BYTES + head.readUInt32BE(4);
}

function decode(payload: Buffer): SpilledBatch {
  const attemptBytes = payload.readUInt16BE(0);
  return {
    attempt: payload.toString("utf8", 2, 2 + attemptBytes),
    count: payload.readUInt32BE(2 + attemptBytes),
    spilledAt: payload.readDoubleBE(6 + attemptBytes),
    rows: payload.subarray(FIXED_BYTES + attemptBytes),
  };
}
