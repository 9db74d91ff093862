import { setImmediate as nextRound } from "node:timers/promises";

/**
 * Creates the function that callers await before each piece of work that takes some milliseconds without a pause. Each resolves in a
 * round of the event loop of its own, in the order of the calls of a party, and parties have turns. So other requests wait for one such
 * piece, and another party's pieces for one of each party, not for all that are due.
 */
export function createTurns(): (party: string) => Promise<void> {
  const waiting = new Map<string, (() => void)[]>();

  async function giveTurns(): Promise<void> {
    while (waiting.size > 0) {
      await nextRound();
      const [[party, begins] = ["", []]] = waiting;
      begins.shift()?.();
      // Behind the others.
      waiting.delete(party);
      if (begins.length > 0) waiting.set(party, begins);
    }
  }

  return (party) =>
    new Promise((begin) => {
      const begins = waiting.get(party);
      if (begins !== undefined) begins.push(begin);
      else if (waiting.set(party, [begin]).size === 1) void giveTurns();
    });
}
