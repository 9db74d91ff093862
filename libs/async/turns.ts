import { setImmediate as nextRound } from "node:timers/promises";
import { pause } from "./retry.ts";

/** The longest rest, for work that has waited for something else for long. */
const LONGEST_REST_MS = 100;

/**
 * Runs work one piece at a time: each in a round of the event loop of its own, in the order of the calls of a party, and parties have
 * turns. Between two pieces that wait it rests for as long as the first took, so that all of them together leave half of the time to
 * others, however many they are. Work that waits for nobody begins at once.
 */
export class FairTurns {
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #isAtWork = false;

  /** The result of the work. */
  run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const begin = async () => await work().then(resolve, reject);
    const line = this.#waiting.get(party);
    if (line === undefined) this.#waiting.set(party, [begin]);
    else line.push(begin);
    if (!this.#isAtWork) void this.#giveTurns();
    return promise;
  }

  async #giveTurns(): Promise<void> {
    this.#isAtWork = true;
    await nextRound();
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      const begunAt = performance.now();
      await next();
      const tookMs = Math.floor(performance.now() - begunAt);
      if (this.#waiting.size > 0 && tookMs > 0) await pause(Math.min(tookMs, LONGEST_REST_MS));
      await nextRound();
    }
    this.#isAtWork = false;
  }

  #takeNext(): (() => Promise<void>) | undefined {
    const [[party, begins] = ["", []]] = this.#waiting;
    const next = begins.shift();
    // Behind the others.
    this.#waiting.delete(party);
    if (begins.length > 0) this.#waiting.set(party, begins);
    return next;
  }
}

/**
 * Creates the function that callers await before each piece of work that takes some milliseconds without a pause. Each resolves in a
 * round of the event loop of its own, in the order of the calls of a party, and parties have turns. So other requests wait for one such
 * piece, and another party's pieces for one of each party, not for all that are due.
 */
export function createTurns(): (party: string) => Promise<void> {
  const turns = new FairTurns();
  return (party) => turns.run(party, async () => undefined);
}
