import type { EventBatch, EventRange } from "#libs/event-log/index.ts";
import type { EventKey, StatsStore } from "#libs/stats-store/index.ts";
import { eventKeyOf, splitLines } from "./event-line.ts";
import { leaveOut } from "./left-out.ts";
import { byRequest, mayBeOfRequest, mayHaveRequests } from "./logged-request.ts";

/**
 * The longest origin in characters, because Kafka keeps 4,096 bytes of an intent. It can leave out any 20,000 lines, and far more if
 * they are whole batches.
 */
const LONGEST_ORIGIN = 3_600;

/** Consecutive batches. `isRepeated`: the store has all their lines. Otherwise the range leaves out the lines that it has. */
export interface RangePiece {
  readonly range: EventRange;
  readonly isRepeated: boolean;
}

/**
 * Leaves out of a range the events that the store has already. The result is one piece, unless an intent has no room for the
 * numbers of all those events. Two kinds of events are looked up, one by one, in the store and earlier in the range:
 *
 * - Events of a batch marked `mayRepeat`. It may join several spilled batches, and another attempt may have joined others, or one
 *   of them twice.
 * - Events of a server's request with an `Idempotency-Key`, which their ids show. Another attempt may have other events of the
 *   request, and other times.
 *
 * Rejects as `StatsStore` does.
 */
export async function withoutRepeats(
  store: Pick<StatsStore, "storedIds" | "storedOfRequests">,
  range: EventRange,
): Promise<RangePiece[]> {
  if (!range.batches.some(({ mayRepeat, rows }) => mayRepeat === true || mayHaveRequests(rows)))
    return [{ range, isRepeated: false }];

  const batches = range.batches.map((batch) => ({ batch, lines: splitLines([batch.rows]) }));
  const isDoubtful = ({ mayRepeat }: EventBatch, line: Buffer) => mayRepeat === true || mayBeOfRequest(line);
  const keys = batches.map(({ lines }) => lines.map(eventKeyOf));
  const doubtful = batches.flatMap(({ batch, lines }, at) =>
    lines.map((line, number) => (isDoubtful(batch, line) ? (keys[at]?.[number] ?? null) : null)),
  );
  const { alone, requests } = byRequest(doubtful.filter((key) => key !== null));
  const known = new Set([
    ...(alone.length > 0 ? await store.storedIds(alone) : []),
    ...(requests.length > 0 ? await store.storedOfRequests(requests) : []),
  ]);
  return pieces(
    range,
    keys.map((ofBatch) => repeatedLines(ofBatch, known)),
  );
}

/** Which lines of a batch are known; adds the others. */
function repeatedLines(keys: readonly (EventKey | null)[], known: Set<string>): boolean[] {
  const isKnown = keys.map((key) => {
    if (key === null) return null;
    if (known.has(key.id)) return true;
    known.add(key.id);
    return false;
  });
  // If all events of a batch are repeated, the dead letters have its lines that are no events.
  const isRepeated = isKnown.includes(true) && !isKnown.includes(false);
  return isKnown.map((isThere) => isThere ?? isRepeated);
}

function pieces(range: EventRange, isOut: readonly (readonly boolean[])[]): RangePiece[] {
  const lines = isOut.flat();
  if (!lines.includes(true)) return [{ range, isRepeated: false }];
  if (!lines.includes(false)) return [{ range, isRepeated: true }];
  const cut = leaveOut(range, lines);
  const half = range.batches.length >> 1;
  if (cut.origin.length <= LONGEST_ORIGIN || half === 0) return [{ range: cut, isRepeated: false }];
  const middle = range.first + BigInt(half);
  return [
    ...pieces({ ...range, last: middle - 1n, batches: range.batches.slice(0, half) }, isOut.slice(0, half)),
    ...pieces({ ...range, first: middle, batches: range.batches.slice(half) }, isOut.slice(half)),
  ];
}
