import { setImmediate as nextRound } from "node:timers/promises";

/**
 * Creates the function that callers await before each piece of work that takes some milliseconds without a pause. Each resolves in a
 * round of the event loop of its own, in the order of the calls. So other requests wait for one such piece, and not for all that are due.
 */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextRound());
    return last;
  };
}
