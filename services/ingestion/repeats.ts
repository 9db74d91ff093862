import type { EventBatch, EventRange, Offset } from "#libs/event-log/port.ts";
import type { EventKey, StatsStore } from "#libs/stats-store/port.ts";
import { eventKeyOf, splitLines } from "./event-line.ts";

/** A run of neighbouring batches: all of them to insert, or all of them in the store already. */
export interface RangePiece {
  readonly range: EventRange;
  readonly isRepeated: boolean;
}

/**
 * Cuts a range where batches that the store has already begin and end. A batch that says it may be a repetition is one
 * when the store has its events, or when it stands earlier in the same range.
 *
 * The log takes a batch whole or not at all, and a range is in the store whole before the next one is looked at. So a
 * few events of a batch speak for all of it: the first and the last that are sound, two because the store may have
 * refused one of them.
 *
 * Rejects as `StatsStore` does.
 */
export async function cutAtRepeats(
  store: Pick<StatsStore, "storedIds">,
  range: EventRange,
): Promise<RangePiece[]> {
  if (!range.batches.some(({ mayRepeat }) => mayRepeat)) return [{ range, isRepeated: false }];
  const witnesses = range.batches.map(witnessesOf);
  const doubtful = witnesses.filter((_, index) => range.batches[index]?.mayRepeat);
  const known = new Set(await store.storedIds(doubtful.flat()));

  const pieces: RangePiece[] = [];
  for (const [index, batch] of range.batches.entries()) {
    const ids = witnesses[index]?.map(({ id }) => id) ?? [];
    const isRepeated = ids.some((id) => known.has(id));
    for (const id of ids) known.add(id);
    grow(pieces, { batch, origin: range.origin, offset: range.first + BigInt(index), isRepeated });
  }
  return pieces;
}

function witnessesOf({ rows }: EventBatch): EventKey[] {
  const lines = splitLines([rows]);
  const first = firstSound(lines);
  const last = firstSound(lines.reverse());
  return [first, last].filter((key) => key !== null);
}

function firstSound(lines: readonly Buffer[]): EventKey | null {
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
