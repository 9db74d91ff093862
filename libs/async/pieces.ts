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

/** All loops share one queue: a round of the event loop continues one of them, for 10 ms, however many there are. */
const nextTurn = createTurns();

/** The items one by one. After each 10 ms of work the event loop serves others first. */
export async function* inRounds<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < HELD_MS) continue;
    await nextTurn("rounds");
    since = performance.now();
  }
}
