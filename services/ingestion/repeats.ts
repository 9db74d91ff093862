import type { EventBatch, EventRange, Offset } from "#libs/event-log/index.ts";
import type { EventKey, StatsStore } from "#libs/stats-store/index.ts";
import { eventKeyOf, splitLines } from "./event-line.ts";
import { leaveOut } from "./left-out.ts";
import { byRequest, isOfRequest } from "./logged-request.ts";

/** Consecutive batches: all to insert, or all in the store already. */
export interface RangePiece {
  readonly range: EventRange;
  readonly isRepeated: boolean;
}

/**
 * Splits a range into batches to insert and batches that the store already has. Two kinds of batches are looked up.
 *
 * A batch marked `mayRepeat` may hold several that were spilled, and another attempt may have put others together, or one of them
 * twice. A batch of a server's request with an `Idempotency-Key` says so in the ids of its events, and another attempt may have other
 * events of the request, and other times. So every event is looked up, in the store, earlier in the range and in its batch. Where
 * some of a batch are known, it is a piece of its own without those.
 *
 * Rejects as `StatsStore` does.
 */
export async function cutAtRepeats(
  store: Pick<StatsStore, "storedIds" | "storedOfRequests">,
  range: EventRange,
): Promise<RangePiece[]> {
  const isDoubtful = (batch: EventBatch) => batch.mayRepeat === true || isOfRequest(batch);
  if (!range.batches.some(isDoubtful)) return [{ range, isRepeated: false }];
  const keys = range.batches.map(keysOf);
  const doubtful = range.batches.flatMap((batch, index) => (isDoubtful(batch) ? (keys[index] ?? []) : []));
  const { alone: marked, requests } = byRequest(doubtful.filter((key) => key !== null));
  const known = new Set([
    ...(marked.length > 0 ? await store.storedIds(marked) : []),
    ...(requests.length > 0 ? await store.storedOfRequests(requests) : []),
  ]);

  const pieces: RangePiece[] = [];
  for (const [index, batch] of range.batches.entries()) {
    const ids = keys[index]?.map((key) => key?.id ?? "") ?? [];
    const isKnown = ids.map((id) => {
      const isThere = known.has(id);
      if (id !== "") known.add(id);
      return isThere;
    });
    // Lines that are no events went to the dead letters with the others.
    const isRepeated = isKnown.includes(true) && ids.every((id, line) => id === "" || isKnown[line]);
    const next = { batch, origin: range.origin, offset: range.first + BigInt(index), isRepeated };
    if (isRepeated || !isKnown.includes(true)) grow(pieces, next);
    else pieces.push({ range: leaveOut(alone(next), isKnown), isRepeated: false });
  }
  return pieces;
}

function keysOf({ rows }: EventBatch): (EventKey | null)[] {
  return splitLines([rows]).map(eventKeyOf);
}

interface NextBatch {
  readonly batch: EventBatch;
  readonly origin: string;
  readonly offset: Offset;
  readonly isRepeated: boolean;
}

function alone({ batch, origin, offset }: NextBatch): EventRange {
  return { origin, first: offset, last: offset, batches: [batch] };
}

/** A piece with lines left out has an origin of its own, so that nothing is added to it. */
function grow(pieces: RangePiece[], next: NextBatch): void {
  const { batch, origin, offset, isRepeated } = next;
  const newest = pieces.at(-1);
  if (newest?.isRepeated === isRepeated && newest.range.origin === origin) {
    const { first, batches } = newest.range;
    pieces.splice(-1, 1, {
      range: { origin, first, last: offset, batches: [...batches, batch] },
      isRepeated,
    });
  } else pieces.push({ range: alone(next), isRepeated });
}
