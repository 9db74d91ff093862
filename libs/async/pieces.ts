import { setImmediate as nextRound } from "node:timers/promises";

/** The items in pieces of at most `most`. Each has a round of the event loop of its own, so others wait for one piece, not for all. */
export async function* inPieces<T>(items: readonly T[], most: number): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < items.length; from += most) {
    if (from > 0) await nextRound();
    yield items.slice(from, from + most);
  }
}
