import { crc32 } from "node:zlib";

/** A batch in the spill. */
export interface SpilledBatch {
  /** Passed to `RepeatableLog.append` by the replay. */
  readonly retryToken: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly spilledAt: number;
  readonly rows: Buffer;
}

/** The content of a spill file. */
export interface ReadRecords {
  readonly batches: readonly SpilledBatch[];
  /** What is wrong with the file, or null. A record cut off at its end is no damage: it was never acknowledged. */
  readonly damage: string | null;
}

/*
 * A record, with big-endian numbers:
 *
 *     magic 4 | length of the payload 4 | checksum of the payload 4 | checksum of these twelve bytes 4
 *     payload: length of the retry token 2 | retry token | count 4 | spilled at 8 | rows
 *
 * The head has its own checksum. It tells a record cut off by a crash (valid head, too few bytes behind it) from a damaged
 * one.
 */
const MAGIC = Buffer.from("PLS1");
const HEAD_BYTES = 16;
const FIXED_BYTES = 14;

/** The size of a record in bytes. */
export function recordBytes({ retryToken, rows }: Pick<SpilledBatch, "retryToken" | "rows">): number {
  return HEAD_BYTES + FIXED_BYTES + Buffer.byteLength(retryToken) + rows.length;
}

export function encodeRecord(batch: SpilledBatch): Buffer {
  const record = Buffer.alloc(recordBytes(batch));
  const payload = record.subarray(HEAD_BYTES);
  const tokenBytes = payload.write(batch.retryToken, 2);
  payload.writeUInt16BE(tokenBytes, 0);
  payload.writeUInt32BE(batch.count, 2 + tokenBytes);
  payload.writeDoubleBE(batch.spilledAt, 6 + tokenBytes);
  batch.rows.copy(payload, FIXED_BYTES + tokenBytes);
  MAGIC.copy(record);
  record.writeUInt32BE(payload.length, 4);
  record.writeUInt32BE(crc32(payload), 8);
  record.writeUInt32BE(crc32(record.subarray(0, 12)), 12);
  return record;
}

/** Reads every valid record, also those behind a damaged one. The rows are views of `bytes`. */
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
    damage ??= `the record at byte ${at} does not match its checksum`;
    const next = bytes.indexOf(MAGIC, at + 1);
    if (next < 0) break;
    at = next;
  }
  return { batches, damage };
}

/** The end of the record according to its head, or null without a valid head. */
function endOfHead(bytes: Buffer, at: number): number | null {
  if (at + HEAD_BYTES > bytes.length) return null;
  const head = bytes.subarray(at, at + HEAD_BYTES);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (crc32(head.subarray(0, 12)) !== head.readUInt32BE(12)) return null;
  return at + HEAD_BYTES + head.readUInt32BE(4);
}

function decode(payload: Buffer): SpilledBatch {
  const tokenBytes = payload.readUInt16BE(0);
  return {
    retryToken: payload.toString("utf8", 2, 2 + tokenBytes),
    count: payload.readUInt32BE(2 + tokenBytes),
    spilledAt: payload.readDoubleBE(6 + tokenBytes),
    rows: payload.subarray(FIXED_BYTES + tokenBytes),
  };
}
