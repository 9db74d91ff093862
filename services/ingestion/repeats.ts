import type { EventBatch, EventRange, Offset } from "#libs/event-log/index.ts";
import type { EventKey, StatsStore } from "#libs/stats-store/index.ts";
import { eventKeyOf, splitLines } from "./event-line.ts";

/** Consecutive batches: all to insert, or all in the store already. */
export interface RangePiece {
  readonly range: EventRange;
  readonly isRepeated: boolean;
}

/**
 * Splits a range into batches to insert and batches that the store already has. A batch marked `mayRepeat` is a repetition
 * when the store has its events, or when it also occurs earlier in the range.
 *
 * The log stores a batch whole or not at all, and a range is completely in the store before the next one is read. So two
 * events represent a batch, its first and last valid ones: two, because the store may have refused one of them. Rejects as
 * `StatsStore` does.
 */
export async function cutAtRepeats(
  store: Pick<StatsStore, "storedIds">,
  range: EventRange,
): Promise<RangePiece[]> {
  if (!range.batches.some(({ mayRepeat }) => mayRepeat)) return [{ range, isRepeated: false }];
  const samples = range.batches.map(sampleKeysOf);
  const doubtful = samples.filter((_, index) => range.batches[index]?.mayRepeat);
  const known = new Set(await store.storedIds(doubtful.flat()));

  const pieces: RangePiece[] = [];
  for (const [index, batch] of range.batches.entries()) {
    const ids = samples[index]?.map(({ id }) => id) ?? [];
    const isRepeated = ids.some((id) => known.has(id));
    for (const id of ids) known.add(id);
    grow(pieces, { batch, origin: range.origin, offset: range.first + BigInt(index), isRepeated });
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

function grow(
  pieces: RangePiece[],
  next: { batch: EventBatch; origin: string; offset: Offset; isRepeated: boolean },
): void {
  const { batch, origin, offset, isRepeated } = next;
  const newest = pieces.at(-1);
  if (newest?.isRepeated === isRepeated) {
    const { first, batches } = newest.range;
    pieces.splice(-1, 1, {
      range: { origin, first, last: offset, batches: [...batches, batch] },
      isRepeated,
    });
  } else pieces.push({ range: { origin, first: offset, last: offset, batches: [batch] }, isRepeated });
}
