import type { EventBatch, EventRange, Offset } from "#libs/event-log/index.ts";
import type { EventKey, StatsStore } from "#libs/stats-store/index.ts";
import { eventKeyOf, splitLines } from "./event-line.ts";
import { leaveOut } from "./left-out.ts";
import { requestIn } from "./logged-request.ts";

/** Consecutive batches: all to insert, or all in the store already. */
export interface RangePiece {
  readonly range: EventRange;
  readonly isRepeated: boolean;
}

/**
 * Splits a range into batches to insert and batches that the store already has. Two kinds of batches are looked up.
 *
 * A batch marked `mayRepeat` is a repetition when the store has its events, or when it also occurs earlier in the range. The log
 * stores it whole or not at all, and a range is completely in the store before the next one is read. So two events represent it,
 * its first and last valid ones: two, because the store may have refused one of them.
 *
 * A batch of a server's request with an `Idempotency-Key` says so in the ids of its events. A repetition may have other events of
 * the request than the first attempt, because an ad was known by then or a limit was reached, so each is looked up. Where the store
 * has some of them, the batch is a piece of its own without those.
 *
 * Rejects as `StatsStore` does.
 */
export async function cutAtRepeats(
  store: Pick<StatsStore, "storedIds" | "storedOfRequests">,
  range: EventRange,
): Promise<RangePiece[]> {
  const requests = range.batches.map(requestIn);
  const isDoubtful = (index: number) => requests[index] !== null || range.batches[index]?.mayRepeat === true;
  if (!range.batches.some((_, index) => isDoubtful(index))) return [{ range, isRepeated: false }];
  const samples = range.batches.map((batch, index) => (requests[index] === null ? sampleKeysOf(batch) : []));
  const sampled = samples.filter((_, index) => isDoubtful(index)).flat();
  const asked = requests.filter((request) => request !== null);
  const known = new Set([
    ...(sampled.length > 0 ? await store.storedIds(sampled) : []),
    ...(asked.length > 0 ? await store.storedOfRequests(asked) : []),
  ]);

  const pieces: RangePiece[] = [];
  for (const [index, batch] of range.batches.entries()) {
    const request = requests[index] ?? null;
    const ids = request?.ids ?? samples[index]?.map(({ id }) => id) ?? [];
    const isKnown = ids.map((id) => known.has(id));
    for (const id of ids) if (id !== "") known.add(id);
    const isRepeated = request === null ? isKnown.includes(true) : !isKnown.includes(false);
    const next = { batch, origin: range.origin, offset: range.first + BigInt(index), isRepeated };
    if (request === null || isRepeated || !isKnown.includes(true)) grow(pieces, next);
    else pieces.push({ range: leaveOut(alone(next), isKnown), isRepeated: false });
  }
  return pieces;
}

function sampleKeysOf({ rows }: EventBatch): EventKey[] {
  const lines = splitLines([rows]);
  const first = firstValid(lines);
  const last = firstValid(lines.reverse());
  return [first, last].filter((key) => key !== null);
}

function firstValid(lines: readonly Buffer[]): EventKey | null {
  for (const line of lines) {
    const key = eventKeyOf(line);
    if (key !== null) return key;
  }
  return null;
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
