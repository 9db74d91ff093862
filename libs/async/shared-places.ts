/** Runs work once it has a place. */
export type InTurn = <T>(party: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates the function that runs at most `places` pieces of work at a time. What waits for a place is in the order of the calls of a party,
 * and parties have turns, so that one with much to do does not keep another waiting for all of it.
 */
export function createSharedPlaces(places: number): InTurn {
  const waiting = new Map<string, (() => void)[]>();
  let free = places;

  /** Gives a place that is free again to the next, or keeps it. */
  function passOn(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    const [party, begins] = next;
    const begin = begins.shift();
    // Behind the others.
    waiting.delete(party);
    if (begins.length > 0) waiting.set(party, begins);
    begin?.();
  }

  function place(party: string): Promise<void> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((begin) => waiting.set(party, [...(waiting.get(party) ?? []), begin]));
  }

  return async (party, work) => {
    await place(party);
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}
