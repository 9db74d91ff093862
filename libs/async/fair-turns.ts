import { setImmediate as nextRound } from "node:timers/promises";
import { pause } from "./retry.ts";

/** The longest rest, because a piece may have waited for something else for most of its time. */
const LONGEST_REST_MS = 2_000;

interface Party {
  readonly waiting: (() => Promise<void>)[];
  /** Whether a piece of its work runs, or it rests after one. */
  isBusy: boolean;
}

/**
 * Runs pieces of work: one at a time of each party, and of a few parties at once. If parties rest, each does so after a piece while there is
 * other work: together they have the event loop for half of the time, however many they are, and the long pieces of one do not keep
 * the short pieces of another waiting. Work that is alone never rests.
 */
export class FairTurns {
  readonly #places: number;
  readonly #haveRests: boolean;
  /** Parties that have work or rest; the one that was served last is at the end. */
  readonly #parties = new Map<string, Party>();
  #atWork = 0;

  constructor(places: number, parties: "rest" | "do not rest") {
    this.#places = places;
    this.#haveRests = parties === "rest";
  }

  /** The result of the work. */
  run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const begin = async () => {
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    };
    const known = this.#parties.get(party);
    if (known === undefined) this.#parties.set(party, { waiting: [begin], isBusy: false });
    else known.waiting.push(begin);
    this.#fill();
    return promise;
  }

  #fill(): void {
    for (const [name, party] of this.#parties) {
      if (this.#atWork >= this.#places) return;
      const next = party.isBusy ? undefined : party.waiting.shift();
      if (next !== undefined) void this.#serve(name, party, next);
    }
  }

  async #serve(name: string, party: Party, next: () => Promise<void>): Promise<void> {
    party.isBusy = true;
    this.#atWork += 1;
    await nextRound();
    const begunAt = performance.now();
    await next();
    const tookMs = performance.now() - begunAt;
    this.#atWork -= 1;
    this.#fill();
    const parties = this.#parties.size;
    if (this.#haveRests && (party.waiting.length > 0 || parties > 1))
      await pause(Math.min(tookMs * (2 * parties - 1), LONGEST_REST_MS));
    party.isBusy = false;
    this.#parties.delete(name);
    if (party.waiting.length > 0) this.#parties.set(name, party);
    this.#fill();
  }
}
