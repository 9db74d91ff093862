import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { EventBatch, EventRange, RangeOfOrigin } from "#libs/event-log/index.ts";
import { splitLines } from "./event-line.ts";

/** Separates the log's own origin of a range from the deflated bits of the lines left out. No log has it in an origin. */
const MARK = "~";
/** Has its place in intents of an earlier version, whose bits were not deflated. */
const EARLIER_MARK = "!";

/**
 * Leaves lines out of a range; `isLeftOut` says which, in the order of its batches. They become part of the range's origin, and so of its
 * intent and its token. After a crash exactly the same lines are inserted again.
 */
export function leaveOut(range: EventRange, isLeftOut: readonly boolean[]): EventRange {
  const bits = Buffer.alloc(Math.ceil(isLeftOut.length / 8));
  for (const [line, isOut] of isLeftOut.entries()) {
    if (isOut) bits.writeUInt8(bits.readUInt8(line >> 3) | (1 << (line & 7)), line >> 3);
  }
  return { ...range, origin: `${range.origin}${MARK}${deflateRawSync(bits).toString("base64url")}` };
}

/** The batches of a range with the lines that are to be inserted, and how many are left out. */
export function keptBatches({
  origin,
  batches,
}: Pick<RangeOfOrigin, "origin"> & Pick<EventRange, "batches">): {
  readonly batches: readonly Pick<EventBatch, "rows" | "appendedAt">[];
  readonly leftOut: number;
} {
  const bits = leftOutOf(origin);
  if (bits === null) return { batches, leftOut: 0 };
  let line = 0;
  let leftOut = 0;
  const isKept = () => {
    const isOut = ((bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
    line += 1;
    if (isOut) leftOut += 1;
    return !isOut;
  };
  const kept = batches.map((batch) => ({
    ...batch,
    rows: Buffer.concat(splitLines([batch.rows]).filter(isKept)),
  }));
  return { batches: kept, leftOut };
}

/** The log's own origin of a range, whatever is left out of it. */
export function ownOriginOf({ origin }: Pick<RangeOfOrigin, "origin">): string {
  const mark = markIn(origin);
  return mark < 0 ? origin : origin.slice(0, mark);
}

function markIn(origin: string): number {
  return origin.search(/[~!]/);
}

function leftOutOf(origin: string): Buffer | null {
  const mark = markIn(origin);
  if (mark < 0) return null;
  const bits = Buffer.from(origin.slice(mark + 1), "base64url");
  return origin[mark] === EARLIER_MARK ? bits : inflateRawSync(bits);
}
