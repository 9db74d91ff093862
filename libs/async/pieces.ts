import { setImmediate as nextRound } from "node:timers/promises";
import { createTurns } from "./turns.ts";

/** The items in pieces of at most `most`. Each has a round of the event loop of its own, so others wait for one piece, not for all. */
export async function* inPieces<T>(items: readonly T[], most: number): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < items.length; from += most) {
    if (from > 0) await nextRound();
    yield items.slice(from, from + most);
  }
}

/** How long items are worked on without a pause, in milliseconds. */
const HELD_MS = 10;

/** Everything that is under way takes turns: many that had the same round would hold up the others together. */
const nextTurn = createTurns();

/** The items one by one. Whenever they have held the event loop for 10 ms, others have a round, and then the next who works so. */
export async function* inRounds<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < HELD_MS) continue;
    await nextTurn("rounds");
    since = performance.now();
  }
}
